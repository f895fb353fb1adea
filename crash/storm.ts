import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { type ContentKind, endings, makeContent, pickKind } from './content.ts';
import { type Account, addSlot, count, intend, isCertain, type Ledger, type Slot, settle } from './ledger.ts';
import type { Random } from './random.ts';
import { send } from './sending.ts';
import { Violation } from './violation.ts';

const atOnce = 5;
const actions = { signUp: 1, upload: 8, replace: 6, delete: 5, ask: 5, list: 1 };
const namesPerCompany = 8;
/** Companies that files are uploaded to; later ones only have to be there. */
const busyCompanies = 3;
/** No answer takes so long; who waits for longer waits for ever. */
export const answerMs = 90_000;

export interface Storm {
  /** Begins nothing more; resolves when everything under way has had its answer or has failed. */
  stop(): Promise<void>;
}

/** What contradicts a promise. */
export type Report = (violation: string) => void;

/** People at work: sign-ups, uploads, replacements, deletions and questions, several at once, until it is stopped. */
export function startStorm(url: string, ledger: Ledger, random: Random, report: Report): Storm {
  let stopped = false;
  const workers = Array.from({ length: atOnce }, async () => {
    while (!stopped) {
      const action = ledger.accounts.length < busyCompanies ? 'signUp' : random.weighted(actions);
      try {
        await withinTime(act(action), `${action} was never answered`);
        count(ledger, action);
      } catch (error) {
        if (error instanceof Violation) report(error.message);
        // Of a server that is being killed anything may fail. What is certain is looked at afterwards.
        count(ledger, 'failed');
        await wait(20);
      }
    }
  });

  async function act(action: keyof typeof actions): Promise<void> {
    if (action === 'signUp') return signUp();
    const owner = random.pick(ledger.accounts.filter(({ companyId, busy }) => companyId && busy));
    const client = createClient(url, owner.idToken);
    if (action === 'list') return void (await client.call('getCompanyFiles', null));
    const free = ledger.slots.filter((slot) => slot.owner === owner && isCertain(slot));
    if (action === 'ask' && free.length > 0) return ask(client, random.pick(free));
    const full = free.filter(({ possible: [now] }) => now);
    const slot = action === 'upload' || full.length === 0 ? emptySlot(owner, free) : random.pick(full);
    if (!isCertain(slot)) return;
    slot.busy = true;
    try {
      if (action === 'delete' && slot.possible[0]) await remove(client, slot);
      else await send(url, slot, await makeContent(random, kindFor(slot)), random);
    } finally {
      slot.busy = false;
    }
  }

  async function signUp(): Promise<void> {
    const account: Account = {
      email: `${randomUUID().slice(0, 8)}@example.com`,
      companyName: `Company ${ledger.accounts.length + 1}`,
      idToken: '',
      busy: ledger.accounts.length < busyCompanies,
    };
    ledger.accounts.push(account);
    const { companyName, email } = account;
    const session = await createClient(url).call('signUp', { companyName, email, password: goodPassword });
    Object.assign(account, { companyId: session.user.companyId, idToken: session.idToken });
  }

  function emptySlot(owner: Account, free: Slot[]): Slot {
    const own = ledger.slots.filter((slot) => slot.owner === owner);
    const empty = free.filter(({ possible: [now] }) => !now);
    if (own.length < namesPerCompany || empty.length === 0) {
      const name = `File ${own.length + 1} ${random.pick(['ä', '"q"', 'x'])}.${endings[pickKind(random)]}`;
      return addSlot(ledger, owner, name);
    }
    return random.pick(empty);
  }

  /** What a name ends in decides how some formats are read. */
  function kindFor({ name }: Slot): ContentKind {
    for (;;) {
      const kind = pickKind(random);
      if (name.endsWith(`.${endings[kind]}`)) return kind;
    }
  }

  async function remove(client: Client, slot: Slot): Promise<void> {
    const [before] = slot.possible;
    intend(slot, null);
    await client.call('deleteFile', { filePath: `${slot.owner.companyId}/${slot.name}` });
    settle(slot, null);
    if (before) await expectSilence(client, before.word, `${slot.name} was just deleted`);
  }

  async function ask(client: Client, slot: Slot): Promise<void> {
    const [[now], gone] = [slot.possible, slot.gone.at(-1)];
    if (!now && gone) return expectSilence(client, gone, `${slot.name} is deleted`);
    const text = `Which number has the locker of ${now?.word}?`;
    await client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  }

  return {
    async stop() {
      stopped = true;
      await Promise.all(workers);
    },
  };
}

/** Nothing that can be asked shows the word. @throws Violation */
export async function expectSilence(client: Client, word: string, why: string): Promise<void> {
  const { passages } = await client.call('searchPassages', { query: word });
  if (passages.some(({ text }) => text.includes(word))) throw new Violation(`${why}, and a search finds it`);
  const text = `Which number has the locker of ${word}?`;
  const { answer, sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  if (sources.some(({ quote }) => quote.includes(word)) || answer.includes(`locker of ${word} has`))
    throw new Violation(`${why}, and an answer quotes it`);
}

/** @throws Violation when it takes longer than anything may */
export async function withinTime<T>(work: Promise<T>, otherwise: string, ms = answerMs): Promise<T> {
  const timer = new AbortController();
  const late = wait(ms, undefined, { signal: timer.signal }).then(
    () => {
      throw new Violation(otherwise);
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
