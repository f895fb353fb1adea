import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import type { CallMessage } from '#contract/calls.ts';
import { goodPassword, uniqueEmail } from './factories.ts';
import { addressOf, queryOnce } from './outside-postgres.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import {
  allEnded,
  makePlace,
  type Place,
  processesIn,
  type ServerProcess,
  startServerProcess,
} from './server-process.ts';

// Several processes of the real program on one database and one folder, as behind a proxy.

const resetsPerHour = 3;
let database: TestDatabase;
let place: Place;
let one: ServerProcess;
let two: ServerProcess;
/** Of those that a test has started. */
const started: ServerProcess[] = [];

async function start(role: 'web' | 'worker', settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess(place, {
    DATABASE_URL: addressOf(database.connection),
    ROLE: role,
    RESETS_PER_HOUR: String(resetsPerHour),
    SIGNUPS_PER_HOUR: '1000',
    SIGN_INS_PER_ADDRESS: '1000',
    ...settings,
  });
  started.push(server);
  return server;
}

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  place = await makePlace();
  // At once, on a database without a table and a folder without a key.
  [one, two] = await Promise.all([start('web'), start('web')]);
  started.length = 0;
}, 300_000);

afterEach(async () => {
  for (const server of started.splice(0)) {
    server.kill();
    await server.ended;
  }
  // Parsers end with their worker.
  while ((await parsers()).length > 0) await wait(20);
});

afterAll(async () => {
  for (const { pid } of await processesIn(place)) process.kill(pid, 'SIGKILL');
  await allEnded(place);
  await place.remove();
  await database.drop();
});

/** A new company, signed up at the first process and seen by its admin at both. */
async function newCompany() {
  const email = uniqueEmail('admin');
  const session = await createClient(one.url).call('signUp', { companyName: 'One', email, password: goodPassword });
  const token = session.idToken;
  const at = (server: ServerProcess) => createClient(server.url, token);
  return { id: session.user.companyId, email, token, at, atOne: at(one), atTwo: at(two) };
}

type Message = CallMessage<'watchFiles'>;

/** Follows the list until the stream ends. */
async function watch(client: Client) {
  const messages: Message[] = [];
  const begun = Promise.withResolvers<void>();
  const ended = client.stream('watchFiles', null, (message) => {
    messages.push(message);
    begun.resolve();
  });
  ended.catch(begun.reject);
  await begun.promise;
  return { messages, ended };
}

/** What was told of a file, one for one. */
const told = (messages: Message[], id: string) =>
  messages.flatMap((message) => {
    if (message.type === 'changed' && message.file.id === id) return [message.file.state];
    return message.type === 'removed' && message.id === id ? ['removed'] : [];
  });

const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');
const ask = (client: Client) =>
  client.call('query', { history: [{ role: 'user', parts: [{ text: 'Where does the cellar key hang?' }] }] });
const year = new Date().getUTCFullYear();
const thisYear = { from: `${year - 1}-12-31`, to: `${year + 1}-01-01` };
const patience = { timeout: 240_000, interval: 20 };

describe.skipIf(process.platform !== 'linux')('two web processes and a worker', { timeout: 300_000 }, () => {
  test('are one service: what is done at one is seen, and undone, at the other', async () => {
    await start('worker');
    const company = await newCompany();
    const { messages, ended } = await watch(company.atTwo);
    ended.catch(() => {});
    const { documentId } = await company.atOne.upload('Rules.md', rules);
    await expect.poll(() => told(messages, documentId).at(-1), patience).toBe('ready');
    for (const client of [company.atOne, company.atTwo])
      expect((await ask(client)).sources).toMatchObject([{ name: 'Rules.md' }]);
    const { url } = await company.atTwo.call('getFileLink', { gsUri: `gs://footnote/${company.id}/Rules.md` });
    const original = await fetch(new URL(new URL(url).pathname, one.url));
    expect(Buffer.from(await original.arrayBuffer()).equals(rules)).toBe(true);
    await company.atOne.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    // As soon as the call has returned.
    expect((await ask(company.atTwo)).sources).toEqual([]);
    expect((await fetch(new URL(new URL(url).pathname, two.url))).status).toBe(404);
    await expect.poll(() => told(messages, documentId).at(-1), patience).toBe('removed');
  });

  test('end at the other what is open in a session that is ended at one', async () => {
    const company = await newCompany();
    const second = await createClient(two.url).call('signIn', { email: company.email, password: goodPassword });
    const theirs = await watch(createClient(two.url, second.idToken));
    await company.atOne.call('endOtherSessions', null);
    await expect(theirs.ended).rejects.toMatchObject({ code: 'session-expired' });
  });

  test('count what is limited together', async () => {
    const takes = (server: ServerProcess) =>
      createClient(server.url)
        .call('sendPasswordReset', { email: uniqueEmail() })
        .then(
          () => true,
          (error) => error.code !== 'too-many-requests' && Promise.reject(error),
        );
    const takenAfter: boolean[] = [];
    // Twice, since an hour may begin meanwhile, but not two.
    for (let i = 0; i < 2; i++) {
      while (await takes(one));
      takenAfter.push(await takes(two));
    }
    expect(takenAfter).toContain(false);
  });

  test('a stream whose process is killed is opened again at the other', async () => {
    const company = await newCompany();
    const three = await start('web');
    const { messages, ended } = await watch(company.at(three));
    three.kill();
    await expect(ended).rejects.toThrow();
    const since = messages.flatMap((message) => ('cursor' in message ? [message.cursor] : [])).at(-1);
    const again: Message[] = [];
    const begun = Promise.withResolvers<void>();
    company.atTwo
      .stream('watchFiles', since === undefined ? null : { since }, (message) => {
        again.push(message);
        begun.resolve();
      })
      .catch(begun.reject);
    await begun.promise;
    // Its cursor is not known there, so nothing can have been missed.
    expect(again).toMatchObject([{ type: 'files', files: [] }]);
  });

  test.each(['call', 'stream'] as const)(
    'a question (%s) whose process is killed once it has stored the answer is told that answer by the other',
    async (how) => {
      const company = await newCompany();
      const three = await start('web');
      const sending = { idempotencyKey: randomUUID() };
      const question = { history: [{ role: 'user' as const, parts: [{ text: 'Where does the cellar key hang?' }] }] };
      const askAt = (server: ServerProcess) =>
        how === 'call'
          ? company.at(server).call('query', question, sending)
          : company.at(server).stream('query', question, () => {}, sending);
      await three.killAt({ statement: 'insert into "queries"', when: 'committed' });
      await expect(askAt(three)).rejects.toThrow();
      await three.ended;
      const own = `select id::text from queries where company_id = '${company.id}'`;
      const stored = () => queryOnce(database.connection, own);
      const [first] = await stored();
      expect(await askAt(two)).toMatchObject({ queryId: first?.id });
      expect(await askAt(one)).toMatchObject({ queryId: first?.id });
      expect(await stored()).toEqual([first]);
      expect((await company.atTwo.call('getAnalytics', thisYear)).asked).toBe(1);
    },
  );

  test('one that is stopped says so first, while it still answers', async () => {
    const company = await newCompany();
    const three = await start('web', { DRAIN_SECONDS: '300' });
    const health = async () => (await fetch(`${three.url}/readyz`)).status;
    expect(await health()).toBe(200);
    process.kill(three.pid, 'SIGTERM');
    await expect.poll(health, patience).toBe(503);
    expect((await fetch(`${three.url}/healthz`)).status).toBe(200);
    expect(await company.at(three).call('getCompanyFiles', null)).toEqual([]);
    process.kill(three.pid, 'SIGTERM');
    await three.ended;
  });

  test('one with a folder of its own is refused', async () => {
    const other = await makePlace();
    await expect(start('worker', { DATA_DIR: other.dataDir })).rejects.toThrow('another DATA_DIR');
    await other.remove();
  });

  test('a worker says how it is, and answers nothing else', async () => {
    const worker = await start('worker');
    expect(await (await fetch(`${worker.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    expect((await fetch(`${worker.url}/metrics`)).status).toBe(200);
    for (const path of ['/', '/login', '/v1/getPlans', '/dev/outbox'])
      expect((await fetch(worker.url + path)).status).toBe(404);
    expect(await (await fetch(`${one.url}/readyz`)).json()).toMatchObject({ ports: { parsers: 'none: web' } });
  });

  test.each(['killed', 'stopped'] as const)(
    'what a worker was reading is read by another, once, when it is %s',
    async (how) => {
      const company = await newCompany();
      const worker = await start('worker');
      await holdParser();
      const before = await inputs();
      const { documentId, version } = await company.atOne.upload('Rules.md', rules);
      await expect.poll(() => inputs(), patience).toHaveLength(before.length + 1);
      await start('worker');
      if (how === 'killed') worker.kill();
      else process.kill(worker.pid, 'SIGTERM');
      await worker.ended;
      const files = await company.atTwo.filesWhenRead();
      expect(files).toMatchObject([{ id: documentId, version, state: 'ready' }]);
      const { passages } = await company.atTwo.call('searchPassages', { query: 'cellar key' });
      expect(passages.map(({ name }) => name)).toEqual(['Rules.md']);
      // Where it could, it has taken away what it had; the other does so as soon as it has said that it is done.
      if (how === 'stopped') await expect.poll(inputs, patience).toEqual(before);
    },
  );
});

/** Stops the parser that the one worker keeps ready for the next file that is no PDF. */
async function holdParser(): Promise<void> {
  for (;;) {
    const ready = (await parsers()).find(({ command }) => command.startsWith('footnote-parser office '));
    if (ready) return void process.kill(ready.pid, 'SIGSTOP');
    await wait(20);
  }
}

async function parsers() {
  return (await processesIn(place)).filter(({ command }) => command.startsWith('footnote-parser '));
}

/** Copies of originals that parsers read. */
async function inputs(): Promise<string[]> {
  const entries = await readdir(join(place.dataDir, 'temp'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
