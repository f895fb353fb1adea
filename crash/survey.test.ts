import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodPassword } from '#server/testing/factories.ts';
import { type ContentKind, makeContent } from './content.ts';
import { addSlot, createLedger, intend, settle } from './ledger.ts';
import { createRandom } from './random.ts';
import { survey } from './survey.ts';

// Whether the look after a crash sees what it is there to see.

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const random = createRandom(5);
const options = { timeoutMs: 60_000, strict: true, all: true, random };

/** A company with one file, as it stands in the ledger. */
async function promised(kind: ContentKind = 'markdown') {
  const { company, admin, token } = await app.signUp({ password: goodPassword });
  const ledger = createLedger();
  const owner = { email: admin.email, companyName: company.name, companyId: company.id, idToken: token, busy: true };
  ledger.accounts.push(owner);
  const slot = addSlot(ledger, owner, `Rules.${kind === 'broken' ? 'pdf' : 'md'}`);
  const content = await makeContent(random, kind);
  intend(slot, content);
  await createClient(app.url, token).upload(slot.name, content.bytes);
  settle(slot, content);
  return { ledger, slot, owner, content, look: () => survey(app.url, ledger, options) };
}

test('it finds nothing where every promise is kept', async () => {
  const [good, broken] = [await promised(), await promised('broken')];
  expect(await good.look()).toEqual([]);
  expect(await broken.look()).toEqual([]);
});

test('it takes either of two states where the answer was lost, and remembers which', async () => {
  const { slot, content, look } = await promised();
  slot.possible = [null, content];
  expect(await look()).toEqual([]);
  expect(slot.possible).toEqual([content]);
});

test('it finds a file that was lost, and one whose bytes were', async () => {
  const lost = await promised();
  await createClient(app.url, lost.owner.idToken).call('deleteFile', {
    filePath: `${lost.owner.companyId}/${lost.slot.name}`,
  });
  expect(await lost.look()).toEqual([expect.stringContaining('nothing is there')]);
  const emptied = await promised();
  // What is still to be read would be tried again for longer than anybody waits here.
  await createClient(app.url, emptied.owner.idToken).filesWhenRead();
  await rm(join(app.config.dataDir, 'files', emptied.owner.companyId), { recursive: true });
  expect(await emptied.look()).toEqual([expect.stringContaining('Rules.md')]);
});

test('it finds a deleted file that is back, and that it is searched', async () => {
  const { slot, look } = await promised();
  settle(slot, null);
  expect(await look()).toEqual([expect.stringContaining('other bytes'), expect.stringContaining('a search finds it')]);
});

test('it finds an account that was lost', async () => {
  const { ledger, owner, look } = await promised();
  ledger.accounts.push({ ...owner, email: 'nobody@example.com' });
  expect(await look()).toContain('nobody@example.com has signed up, and cannot sign in');
});

test('it looks at more people than may wait for a sign-in at once', { timeout: 120_000 }, async () => {
  const { ledger, owner, look } = await promised();
  // With all of them at once the last ones would be told to come back later, and taken for lost.
  ledger.accounts.push(...Array.from({ length: 200 }, () => owner));
  expect(await look()).toEqual([]);
});
