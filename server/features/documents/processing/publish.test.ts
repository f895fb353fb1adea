import { expect } from 'vitest';
import { eq } from '#server/db/drizzle.ts';
import { versions } from '#server/db/schema.ts';
import { test } from '#server/testing/company.ts';
import { holdTransaction, waitedFor } from '#server/testing/hold.ts';
import { ownSearchTable } from '../locks.ts';

test('a deletion comes before a version answers or after it, never in between', async ({ app, company }) => {
  const { db } = app.app;
  // Stored, and about to be indexed.
  const search = await holdTransaction(db, company.id, (tx) => ownSearchTable(tx, company.id));
  const { documentId } = await company.client.upload('Rules.md', Buffer.from('The key hangs behind the door.\n'));
  await waitedFor(search.tx);
  const version = await holdTransaction(db, company.id, (tx) =>
    tx.select({ version: versions.version }).from(versions).where(eq(versions.documentId, documentId)).for('update'),
  );
  await search.release();
  // Indexed and looked at once more: what it says of itself now has to hold until it has said it.
  const publisher = await waitedFor(version.tx);
  const deleting = company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
  const first = await Promise.race([
    deleting.then(() => 'is deleted in between'),
    waitedFor(version.tx, publisher).then(() => 'waits'),
  ]);
  expect(first).toBe('waits');
  await version.release();
  await deleting;
  await app.idle();
  expect(await company.client.call('getCompanyFiles', null)).toEqual([]);
});
