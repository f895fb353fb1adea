import { createHash } from 'node:crypto';
import { type Client, createClient } from '#client/client.ts';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { resumeUpload } from '#server/testing/open-upload.ts';
import type { Content } from './content.ts';
import { type Account, askedBy, exclude, type Ledger, type Slot, settle } from './ledger.ts';
import type { Random } from './random.ts';
import { expectSilence, withinTime } from './storm.ts';
import { Violation } from './violation.ts';

/** Reading that was killed several times may need to be asked for once more. */
const retries = 3;
/** Of a hundred at once the last ones are told to come back later, as they should be. */
const signInsAtOnce = 20;
/** Of what has not changed so many are looked at each time. */
const sampled = 3;

export interface SurveyOptions {
  /** How long files may take to reach an end state. */
  timeoutMs: number;
  /** False where files may still be read when the time is over: they are looked at the next time. */
  strict: boolean;
  /** Looks for every word that ever went. */
  all: boolean;
  random: Random;
}

/**
 * Looks at everything that was acknowledged through the public calls, settles what had no answer by what is there, and
 * goes on with uploads that were cut off.
 * @returns what contradicts a promise
 */
export async function survey(url: string, ledger: Ledger, options: SurveyOptions): Promise<string[]> {
  const violations: string[] = [];
  const check = async (what: string, work: () => Promise<void>) => {
    try {
      await withinTime(work(), `${what} was never answered`, options.timeoutMs + 120_000);
    } catch (error) {
      violations.push(error instanceof Violation ? error.message : `${what}: ${error}`);
    }
  };
  const { all, random } = options;
  const people = sampleOf(ledger.accounts, all, random, ({ busy, companyId }) => busy || companyId === undefined);
  for (let i = 0; i < people.length; i += signInsAtOnce)
    await Promise.all(
      people.slice(i, i + signInsAtOnce).map((account) => check('a sign-in', () => signIn(url, account))),
    );
  const byOwner = Map.groupBy(ledger.slots, (slot) => slot.owner);
  const each = [...byOwner].map(async ([owner, slots]) => {
    const client = createClient(url, owner.idToken);
    const who = { client, asked: askedBy(ledger, owner.companyId ?? '') };
    let seen: CompanyFile[] | undefined;
    for (const slot of slots) {
      if (slot.openEnd) await check(`the upload of ${slot.name}`, () => goOn(url, slot, random));
    }
    await check(`the files of ${owner.companyName}`, async () => {
      const files = await filesAtEnd(client, slots, options);
      seen = files;
      await Promise.all(slots.map((slot) => check(slot.name, () => compare(url, client, slot, files))));
      for (const file of files) {
        if (file.state !== 'uploading' && !slots.some(({ name }) => name === file.name))
          violations.push(`${file.name} is there, and nobody has uploaded it`);
      }
    });
    const files = seen;
    if (!files) return;
    // Where the newest version cannot be read, or is not read yet, the one before it answers, as it should.
    const replaced = slots.filter(({ name }) => {
      const file = files.find((each) => each.name === name && each.state !== 'uploading');
      return !file || file.currentVersion === file.version;
    });
    const latest = new Set(replaced.map((slot) => slot.gone.at(-1)));
    const gone = replaced.flatMap((slot) => slot.gone);
    for (const word of sampleOf(gone, all, random, (word) => latest.has(word) && random.next() < 0.3))
      await check(word, () => expectSilence(who, word, `the file with ${word} is gone`));
  });
  await Promise.all(each);
  return violations;
}

/** All of them; or those that count, and a few others. */
function sampleOf<T>(from: T[], all: boolean, random: Random, counts: (item: T) => boolean): T[] {
  if (all || from.length === 0) return from;
  const others = Array.from({ length: sampled }, () => random.pick(from));
  return [...new Set([...from.filter(counts), ...others])];
}

/** Who has signed up can sign in; a sign-up without an answer is done, or can be done again. */
async function signIn(url: string, account: Account): Promise<void> {
  const credentials = { email: account.email, password: goodPassword };
  const anonymous = createClient(url);
  let session = await anonymous.call('signIn', credentials).catch((error) => {
    if (error instanceof AppError && error.code === 'invalid-credentials') return null;
    throw error;
  });
  if (!session && account.companyId) throw new Violation(`${account.email} has signed up, and cannot sign in`);
  session ??= await anonymous.call('signUp', { ...credentials, companyName: account.companyName }).catch(() => null);
  if (!session) throw new Violation(`${account.email} can neither sign in nor sign up again`);
  if (account.companyId && account.companyId !== session.user.companyId)
    throw new Violation(`${account.email} has another company`);
  Object.assign(account, { companyId: session.user.companyId, idToken: session.idToken });
}

/** Goes on with an upload without an end, or gives it up. */
async function goOn(url: string, slot: Slot, random: Random): Promise<void> {
  if (!slot.openEnd) return;
  const { id, acknowledged, content } = slot.openEnd;
  const upload = resumeUpload(url, slot.owner.idToken, id);
  const offset = await upload.offset();
  if (offset < acknowledged)
    throw new Violation(`${slot.name}: ${acknowledged} bytes were acknowledged, ${offset} are there`);
  if (offset === content.bytes.length) return settle(slot, content);
  if (random.next() < 0.3) {
    const { status } = await upload.giveUp();
    if (status !== 204) throw new Violation(`${slot.name}: giving up the upload was answered with ${status}`);
    return exclude(slot, content);
  }
  const reply = await upload.send(offset, content.bytes.subarray(offset));
  if (!reply.ok) throw new Violation(`${slot.name}: the rest was answered with ${reply.status} ${await reply.text()}`);
  await reply.arrayBuffer();
  settle(slot, content);
}

/** The files, once all of them are read; what was interrupted is asked for again. */
async function filesAtEnd(client: Client, slots: Slot[], { timeoutMs, strict }: SurveyOptions): Promise<CompanyFile[]> {
  for (let attempt = 0; ; attempt++) {
    const files = await withinTime(client.filesWhenRead(), 'late', timeoutMs).catch(async (error) => {
      if (!(error instanceof Violation)) throw error;
      const listed = await client.call('getCompanyFiles', null);
      const unread = listed.filter(({ state }) => state === 'queued' || state === 'processing');
      if (strict && unread.length > 0)
        throw new Violation(`without an end state after ${timeoutMs / 1000} s: ${unread.map(({ name }) => name)}`);
      return listed;
    });
    const interrupted = files.filter(({ state, name }) => state === 'failed' && !mayBeBroken(slots, name));
    for (const { name, reason } of files.filter(({ state }) => state === 'failed'))
      if (!reason) throw new Violation(`${name} failed without a reason`);
    if (interrupted.length === 0) return files;
    if (attempt === retries)
      throw new Violation(`cannot be read: ${interrupted.map(({ name, reason }) => `${name}: ${reason}`)}`);
    for (const { id } of interrupted) await client.call('retryFile', { documentId: id });
    if (!strict) return client.call('getCompanyFiles', null);
  }
}

function mayBeBroken(slots: Slot[], name: string): boolean {
  return slots.some((slot) => slot.name === name && slot.possible.some((content) => content?.kind === 'broken'));
}

/** What is there is one of what may be there, with its bytes, and is found by its word. */
async function compare(url: string, client: Client, slot: Slot, files: CompanyFile[]): Promise<void> {
  const file = files.find(({ name, state }) => name === slot.name && state !== 'uploading');
  const now = file ? await contentOf(url, client, slot, file) : null;
  if (!slot.possible.includes(now)) {
    const expected = slot.possible.map((content) => content?.word ?? 'nothing').join(' or ');
    throw new Violation(`${slot.name}: ${expected} was acknowledged, ${now?.word ?? 'nothing'} is there`);
  }
  settle(slot, now);
  if (!file || !now || file.state === 'queued' || file.state === 'processing') return;
  if (now.kind === 'broken') {
    if (file.state !== 'failed') throw new Violation(`${slot.name} is broken, and ${file.state}`);
    return;
  }
  if (file.state !== 'ready') throw new Violation(`${slot.name} is ${file.state}: ${file.reason}`);
  const { passages } = await client.call('searchPassages', { query: now.word });
  const found = passages.find(({ text }) => text.includes(now.word));
  if (found?.documentId !== file.id || found.version !== file.version)
    throw new Violation(`${slot.name} is ready, and a search for ${now.word} does not find it`);
}

async function contentOf(url: string, client: Client, slot: Slot, file: CompanyFile): Promise<Content> {
  const link = await client.call('getFileLink', { gsUri: `gs://${file.bucket}/${file.path}`, version: file.version });
  const original = await fetch(new URL(new URL(link.url).pathname, url));
  const bytes = Buffer.from(await original.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const content = slot.possible.find((each) => each?.sha256 === sha256);
  if (!content)
    throw new Violation(`${slot.name}: other bytes are there than were uploaded (${original.status}, ${bytes.length})`);
  return content;
}
