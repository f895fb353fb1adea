import { createHash } from 'node:crypto';
import type { Client } from '#client/client.ts';
import { findPostgres } from '#server/db/postgres/launcher.ts';
import { queryOnce } from '#server/testing/outside-postgres.ts';
import { type Row, seconds, timeOf } from './figures.ts';
import { askAbout, type Company, type Kept, type Ledger } from './large-ledger.ts';

/** Questions that are asked about what is there, and about what is not. */
const asked = 100;

/**
 * Holds what was restored against what was told before the backup began, and what was deleted at any time.
 * @param restored the folder of its data
 */
export async function compareWithLedger(company: Company, restored: string): Promise<Row[]> {
  const { ledger, client } = company;
  const files = new Map((await client.filesWhenRead()).map((file) => [file.id, file]));
  const [kept, deleted] = [false, true].map((is) => ledger.documents.filter(({ isDeleted }) => isDeleted === is));
  if (!kept || !deleted) throw new Error('no ledger');
  let wrong = 0;
  const opening = await timeOf(async () => {
    for (const each of kept) {
      const file = files.get(each.documentId);
      if (file?.state === 'ready' && (await digestOf(client, file)) === each.sha256) continue;
      console.error(`${each.name} is not there as it was: ${file?.state}`);
      wrong += 1;
    }
  });
  const before = ledger.problems.length;
  for (const each of kept.slice(0, asked))
    await askAbout(client, { ...ledger, answers: [] }, each).catch((error) => ledger.problems.push(String(error)));
  const found = await shownOf(client, deleted);
  const back = deleted.filter(({ documentId }) => files.has(documentId)).length;
  return [
    ['acknowledged documents; not there as they were, by their digests', `${kept.length}; ${wrong}`, '0'],
    ['all of them opened, one after the other', seconds(opening), ''],
    ['asked about again; not cited', `${Math.min(asked, kept.length)}; ${ledger.problems.length - before}`, '0'],
    ['deleted before the restore; listed again; cited again', `${deleted.length}; ${back}; ${found}`, '0'],
    ...(await answerRows(restored, ledger)),
  ];
}

async function digestOf(client: Client, { bucket, path }: { bucket: string; path: string }): Promise<string> {
  const { url } = await client.call('getFileLink', { gsUri: `gs://${bucket}/${path}` });
  const { body, ok, status } = await fetch(url);
  if (!ok || !body) throw new Error(`the original: ${status}`);
  const hash = createHash('sha256');
  for await (const piece of body) hash.update(piece);
  return hash.digest('hex');
}

/** How many of the deleted documents an answer cites. */
async function shownOf(client: Client, deleted: readonly Kept[]): Promise<number> {
  let shown = 0;
  for (const { documentId, question } of deleted.slice(0, asked)) {
    const { sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text: question }] }] });
    if (sources.some((source) => source.documentId === documentId)) shown += 1;
  }
  return shown;
}

/** Answers that people got before the backup, with the source that they had. */
async function answerRows(restored: string, { answers }: Ledger): Promise<Row[]> {
  const connection = await findPostgres(restored);
  if (!connection) throw new Error('no database runs');
  const rows = await queryOnce(
    connection,
    `select queries.id::text, array_agg(document_id::text) as cited from queries
    left join citations on query_id = queries.id and citations.company_id = queries.company_id group by queries.id`,
  );
  const stored = new Map(rows.map(({ id, cited }) => [String(id), cited as string[]]));
  const without = answers.filter(
    ({ queryId, about }) => !about.isDeleted && !stored.get(queryId)?.includes(about.documentId),
  );
  const lost = answers.filter(({ queryId }) => !stored.has(queryId));
  return [['answers; lost; without their source', `${answers.length}; ${lost.length}; ${without.length}`, '0']];
}
