import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDocument } from '#server/testing/factories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('of the documents asked for, those are gone that are deleted, another company’s or nobody’s', async () => {
  const [ours, theirs] = [await app.signUp(), await app.signUp()];
  const live = await insertDocument(app.app.db, ours.company);
  const deleted = await insertDocument(app.app.db, ours.company);
  const foreign = await insertDocument(app.app.db, theirs.company);
  const unknown = randomUUID();
  const client = createClient(app.url, ours.admin.token);
  await client.call('deleteFile', { filePath: deleted.path });

  const documentIds = [live, deleted, foreign].map(({ documentId }) => documentId);
  const shouted = live.documentId.toUpperCase();
  expect(await client.call('getGoneDocuments', { documentIds: [...documentIds, shouted, unknown, unknown] })).toEqual({
    gone: [deleted.documentId, foreign.documentId, unknown],
  });
  expect(await client.call('getGoneDocuments', { documentIds: [] })).toEqual({ gone: [] });
});

test('more than 200 at once are refused', async () => {
  const { admin } = await app.signUp();
  const client = createClient(app.url, admin.token);
  const documentIds = Array.from({ length: 201 }, () => randomUUID());
  await expect(client.call('getGoneDocuments', { documentIds })).rejects.toMatchObject({ code: 'invalid-input' });
  expect((await client.call('getGoneDocuments', { documentIds: documentIds.slice(1) })).gone).toHaveLength(200);
});
