import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Subject } from './subject.ts';

const timeoutMs = 120_000;
const dayMs = 24 * 3_600_000;

/**
 * Files that nothing names any more, once the jobs behind them have had their time.
 * @param copies whether parsers' copies are looked for, which a killed process leaves to the others for a while
 * @returns what they are
 */
export async function leftovers(
  { place: { dataDir }, query }: Subject,
  { copies }: { copies: boolean },
): Promise<string[]> {
  const found = async () => {
    const [counts] = await query(`select
      (select count(*)::int from versions) as versions,
      (select count(*)::int from documents where deleted_at is not null) as deleted,
      (select array_agg(id::text) from uploads) as uploads`);
    const uploads: unknown[] = Array.isArray(counts?.uploads) ? counts.uploads : [];
    const [stored, sent, temp] = await Promise.all(
      ['files', 'uploads', 'temp'].map((folder) => filesIn(join(dataDir, folder))),
    );
    const unnamed = await Promise.all(
      (sent ?? []).map(async (name) => {
        // One that was begun when the server was killed has no byte yet; it goes after a day.
        const size = (await stat(join(dataDir, 'uploads', name)).catch(() => null))?.size ?? 0;
        return !uploads.includes(name) && size > 0 ? [`uploads/${name}, which no upload names`] : [];
      }),
    );
    return [
      ...(stored?.length === counts?.versions ? [] : [`${stored?.length} files for ${counts?.versions} versions`]),
      ...(counts?.deleted === 0 ? [] : [`${counts?.deleted} deleted documents that are not erased`]),
      ...unnamed.flat(),
      ...(copies ? (temp ?? []) : []).map((name) => `temp/${name}`),
    ];
  };
  return untilNone(found);
}

/** Makes whatever nobody has touched look two days old, as if the server had been away. */
export async function age({ place: { dataDir, path }, query }: Subject): Promise<void> {
  const then = new Date(Date.now() - 2 * dayMs);
  for (const name of await filesIn(join(dataDir, 'uploads'))) await utimes(join(dataDir, 'uploads', name), then, then);
  for (const name of await folders(join(path, 'tmp'), /^footnote-parse-/)) {
    await utimes(join(path, 'tmp', name), then, then);
  }
  await query(`update uploads set created_at = now() - interval '2 days'`);
}

/** What is left of unfinished uploads and of earlier servers after a day. */
export async function leftAfterADay({ place: { dataDir, path }, query, pids }: Subject): Promise<string[]> {
  return untilNone(async () => [
    ...(await filesIn(join(dataDir, 'uploads'))).map((name) => `uploads/${name}`),
    ...(await query('select id::text from uploads')).map(({ id }) => `the row of the upload ${id}`),
    ...(await folders(join(path, 'tmp'), new RegExp(`^footnote-parse-(?!(${pids.join('|')})-)`))).map(
      (name) => `tmp/${name}`,
    ),
  ]);
}

async function untilNone(found: () => Promise<string[]>): Promise<string[]> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const left = await found().catch((error: unknown) => [`not seen: ${error}`]);
    if (left.length === 0 || Date.now() > until) return left;
    await wait(200);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function folders(folder: string, named: RegExp): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => named.test(name));
}
