import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '#client/client.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { type Asking, ask } from './asking.ts';
import { type ContentKind, endings, makeContent, pickKind } from './content.ts';
import { type Account, addSlot, askedBy, count, intend, isCertain, type Ledger, type Slot, settle } from './ledger.ts';
import type { Random } from './random.ts';
import { send } from './sending.ts';
import { Violation } from './violation.ts';

const actions = { signUp: 1, upload: 8, replace: 6, delete: 5, ask: 5, list: 1, pay: 1 };
const namesPerCompany = 8;
/** Of names that nobody knows the end of no more are made than this, either. */
const maxNames = 16;
/** Companies that files are uploaded to; later ones only have to be there. */
const busyCompanies = 3;
/** No answer takes so long; who waits for longer waits for ever. */
export const answerMs = 90_000;

export interface StormOptions {
  url: string;
  ledger: Ledger;
  random: Random;
  /** Null where nothing is paid. */
  pay: Pay | null;
  /** How many people act at once, and for how long each of them rests after a deed. */
  atOnce: number;
  thinkMs: number;
}

export interface Storm {
  /** Begins nothing more; resolves when everything under way has had its answer or has failed. */
  stop(): Promise<void>;
}

/** Pays for the account's company. */
export type Pay = (client: Client, account: Account) => Promise<void>;

/** What contradicts a promise. */
export type Report = (violation: string) => void;

/** People at work: sign-ups, uploads, replacements, deletions and questions, several at once, until it is stopped. */
export function startStorm({ url, ledger, random, pay, atOnce, thinkMs }: StormOptions, report: Report): Storm {
  let stopped = false;
  const paying = new Set<string>();
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
      await wait(thinkMs);
    }
  });

  async function act(action: keyof typeof actions): Promise<void> {
    if (action === 'signUp') return signUp(url, ledger);
    const open = ledger.accounts.filter(({ companyId, busy, paid }) => companyId && busy && (paid || !pay));
    if (pay && (action === 'pay' || open.length === 0)) return payOne(pay);
    const owner = random.pick(open);
    const client = createClient(url, owner.idToken);
    const asked = askedBy(ledger, owner.companyId ?? '');
    if (action === 'list' || action === 'pay') return void (await client.call('getCompanyFiles', null));
    const free = ledger.slots.filter((slot) => slot.owner === owner && isCertain(slot));
    if (action === 'ask' && free.length > 0) return askOf(random.pick(free), { client, asked });
    const full = free.filter(({ possible: [now] }) => now);
    const slot =
      action === 'upload' || full.length === 0 ? emptySlot({ ledger, random }, owner, free) : random.pick(full);
    if (!isCertain(slot)) return;
    slot.busy = true;
    try {
      if (action === 'delete' && slot.possible[0]) await remove({ client, asked }, slot);
      else await send(url, slot, await makeContent(random, kindFor(slot, random)), random);
    } finally {
      slot.busy = false;
    }
  }

  /** Those that upload first; of the others as many as there is time for. */
  async function payOne(pay: Pay): Promise<void> {
    const unpaid = ledger.accounts.filter(({ companyId, paid }) => companyId && !paid && !paying.has(companyId));
    const account = unpaid.find(({ busy }) => busy) ?? (unpaid.length > 0 ? random.pick(unpaid) : undefined);
    if (!account?.companyId) return;
    paying.add(account.companyId);
    await pay(createClient(url, account.idToken), account).finally(() => paying.delete(account.companyId ?? ''));
  }

  return {
    async stop() {
      stopped = true;
      await Promise.all(workers);
    },
  };
}

async function signUp(url: string, ledger: Ledger): Promise<void> {
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

function emptySlot({ ledger, random }: { ledger: Ledger; random: Random }, owner: Account, free: Slot[]): Slot {
  const own = ledger.slots.filter((slot) => slot.owner === owner);
  const empty = free.filter(({ possible: [now] }) => !now);
  const most = empty.length === 0 && free.length === 0 ? maxNames : namesPerCompany;
  if (own.length < most) {
    const name = `File ${own.length + 1} ${random.pick(['ä', '"q"', 'x'])}.${endings[pickKind(random)]}`;
    return addSlot(ledger, owner, name);
  }
  const [some] = [empty, free, own].filter((slots) => slots.length > 0);
  return random.pick(some ?? own);
}

/** What a name ends in decides how some formats are read. */
function kindFor({ name }: Slot, random: Random): ContentKind {
  for (;;) {
    const kind = pickKind(random);
    if (name.endsWith(`.${endings[kind]}`)) return kind;
  }
}

async function remove(who: Asking, slot: Slot): Promise<void> {
  const [before] = slot.possible;
  intend(slot, null);
  await who.client.call('deleteFile', { filePath: `${slot.owner.companyId}/${slot.name}` });
  settle(slot, null);
  if (before) await expectSilence(who, before.word, `${slot.name} was just deleted`);
}

async function askOf(slot: Slot, who: Asking): Promise<void> {
  const [[now], gone] = [slot.possible, slot.gone.at(-1)];
  if (!now && gone) return expectSilence(who, gone, `${slot.name} is deleted`);
  await ask(who, `Which number has the locker of ${now?.word}?`);
}

/** Nothing that can be asked shows the word. @throws Violation */
export async function expectSilence(who: Asking, word: string, why: string): Promise<void> {
  const { passages } = await who.client.call('searchPassages', { query: word });
  if (passages.some(({ text }) => text.includes(word))) throw new Violation(`${why}, and a search finds it`);
  const { answer, sources } = await ask(who, `Which number has the locker of ${word}?`);
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
