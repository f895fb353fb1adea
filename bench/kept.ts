import type { OutsidePostgres } from '#server/testing/outside-postgres.ts';
import type { Row } from './figures.ts';
import type { Told, UploadTold } from './patient.ts';

/** Holds the answers that people have got against those that are stored. */
export async function answerRows({ query }: OutsidePostgres, { answers }: Told): Promise<Row[]> {
  const rows = await query(`select id::text, created_at::text, duration_ms from queries order by created_at`);
  const stored = new Set(rows.map(({ id }) => String(id)));
  const lost = answers.difference(stored);
  const doubled = stored.difference(answers);
  // Beside the times at which processes were replaced this says which of the two had cut the reply.
  for (const { id, created_at, duration_ms } of rows)
    if (doubled.has(String(id))) console.error(`stored and not received: at ${created_at}, after ${duration_ms} ms`);
  return [
    ['answers that people got', answers.size.toLocaleString('en'), ''],
    ['of these lost', String(lost.size), '0'],
    ['stored, though nobody got them, so that the question was asked and stored again', String(doubled.size), '0'],
  ];
}

/**
 * Holds the uploads that were acknowledged against the versions that are stored.
 * @param atKill those that were under way when a process was killed
 */
export async function uploadRows(
  { query }: OutsidePostgres,
  { uploads }: Told,
  atKill: readonly UploadTold[],
): Promise<Row[]> {
  const versions = await query('select upload_id, sha256 from versions');
  const byUpload = Map.groupBy(versions, ({ upload_id }) => String(upload_id));
  const isKept = ({ addresses, sha256, unchanged }: UploadTold) => {
    const made = [...addresses].flatMap((address) => byUpload.get(address.split('/').at(-1) ?? '') ?? []);
    return unchanged ? made.length === 0 : made.length === 1 && made[0]?.sha256 === sha256;
  };
  const finished = uploads.filter(({ documentId }) => documentId !== undefined);
  const anew = uploads.reduce((sum, { addresses }) => sum + Math.max(0, addresses.size - 1), 0);
  const cut = uploads.filter(({ cuts }) => cuts > 0);
  return [
    ['uploads; acknowledged', `${uploads.length}; ${finished.length}`, 'alike'],
    ['under way when a process was killed; cut at any time, and gone on with', `${atKill.length}; ${cut.length}`, ''],
    ['uploads begun anew', String(anew), '0'],
    [
      'acknowledged, and not stored once with their bytes',
      String(finished.filter((each) => !isKept(each)).length),
      '0',
    ],
  ];
}
