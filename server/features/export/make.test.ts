import { join } from 'node:path';
import { pino } from 'pino';
import { expect } from 'vitest';
import { eq } from '#server/db/drizzle.ts';
import { documents, exportEntries, exports } from '#server/db/schema.ts';
import { diskFiles } from '#server/ports/files/disk.ts';
import { test } from '#server/testing/company.ts';
import { holdReading, holdTransaction, waitedFor } from '#server/testing/hold.ts';
import { readZip } from '#server/testing/read-zip.ts';
import { lockedExport } from './exports.ts';
import { createMaking } from './make.ts';
import { dropDeleted } from './plan.ts';

test('what is deleted while an original is read is taken out, and not counted as read', async ({ app, company }) => {
  const { db } = app.app;
  const { dataDir } = app.config;
  const { documentId } = await company.client.upload(
    'Gone.md',
    Buffer.from('The cellar key hangs behind the green door.\n'),
  );
  await company.client.upload('Stays.md', Buffer.from('The pier is rebuilt in April.\n'));
  await app.idle();
  const { exportId } = await company.client.call('startExport', null);
  await app.idle();
  const key = { companyId: company.id, exportId };
  // As a process leaves it that is killed once it has planned.
  await db.asCompany(company.id, async (tx) => {
    await tx.update(exports).set({ state: 'running', readyAt: null, expiresAt: null });
    await tx.update(exportEntries).set({ crc32: null }).where(eq(exportEntries.exportId, exportId));
  });

  const { files, ...reading } = holdReading(diskFiles({ root: join(dataDir, 'files') }));
  const store = diskFiles({ root: join(dataDir, 'exports') });
  const make = createMaking({ db, files, store, tellReady: async () => {}, log: pino({ level: 'silent' }) });
  const run = { signal: new AbortController().signal, isLastAttempt: false };
  const making = make(key, run);
  await reading.reached();
  // Another run of the job begins, and takes out what was deleted.
  const other = await holdTransaction(db, company.id, (tx) => lockedExport(tx, key));
  await reading.release();
  await waitedFor(other.tx);
  await other.tx.update(documents).set({ deletedAt: new Date() }).where(eq(documents.id, documentId));
  await dropDeleted(other.tx, key);
  await other.release();
  await making;

  const { url, ...made } = await company.client.call('getExport', { exportId });
  expect(made).toMatchObject({ state: 'ready', documents: 1, documentsDone: 1 });
  const zip = await readZip(Buffer.from(await (await app.fetch(url ?? '')).arrayBuffer()));
  expect([...zip.keys()].filter((path) => path.startsWith('documents/'))).toEqual(['documents/Stays.md']);
});
