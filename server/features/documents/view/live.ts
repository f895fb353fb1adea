import { setTimeout as wait } from 'node:timers/promises';
import type { CallContext } from '#server/calls/handlers.ts';
import { audienceOf } from '#server/db/audience.ts';
import type { Database } from '#server/db/db.ts';
import type { CompanyFiles } from '../company-files.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { ReadShared } from './shared-reads.ts';

/** Changes that arrive within this time are told together: a parser reports many pages a second. */
const gatherMs = 100;

/** Not that of any memory of changes: whoever comes back with it reads the whole list. */
const noCursor = 'none.0';

interface LiveDeps {
  db: Database;
  companyFiles: Pick<CompanyFiles, 'list'>;
  readShared: ReadShared;
  recent: RecentChanges;
  watchMs: number;
}

type Caller = Pick<CallContext<'watchFiles'>, 'signal' | 'leaving' | 'emit' | 'recheck'>;

/**
 * Tells every change of the files that the reader sees: first all of them, or what has changed since a cursor, then
 * each one that changes or goes; all of them again when what the reader may see has changed. Whoever does not see
 * everything is told of nothing but files that they were told of, and gets no cursor: that a file changed which one has
 * never seen would tell that there is one. Resolves when the signal aborts, the time is over or the service stops; the
 * client then asks again.
 * @throws AppError with the first change after the caller's session has ended
 */
export async function watchFiles(
  { db, companyFiles, readShared, recent, watchMs }: LiveDeps,
  { reader, since }: { reader: { companyId: string; userId: string }; since?: string | undefined },
  { signal, leaving, emit, recheck }: Caller,
): Promise<void> {
  const { companyId } = reader;
  const end = AbortSignal.any([signal, leaving, AbortSignal.timeout(watchMs)]);
  const changed = new Set<string>();
  let access: 'as before' | 'changed' | 'everybody' = 'as before';
  let wake = () => {};

  // Before this one listens, so that a cursor never names less than what has been told.
  await recent.listen();
  // Listening starts before the list is read, so that no change falls between the two.
  const heard = (payload: Record<string, unknown>) => {
    if (payload.companyId !== companyId) return;
    if (typeof payload.documentId === 'string') changed.add(payload.documentId);
    else if (payload.everybody === true) access = 'everybody';
    else if (access === 'as before') access = 'changed';
    wake();
  };
  // After a break of the connection what was missed is not known, and all is told.
  const stop = await db.listen('files', heard, () => heard({ companyId, everybody: true }));
  const ended = () => wake();
  end.addEventListener('abort', ended);
  try {
    let audience = await audienceOf(db, reader);
    const isWhole = () => audience.collections === null;
    /** Of whoever sees a part, what they were told of. */
    let told = new Set<string>();
    const tellAll = async (cursor: string) => {
      const files = await companyFiles.list(reader);
      told = new Set(isWhole() ? [] : files.map(({ id }) => id));
      emit({ type: 'files', files, cursor: isWhole() ? cursor : noCursor });
    };
    const cursor = recent.cursor();
    const missed = since === undefined || !isWhole() ? null : recent.since(companyId, since);
    if (missed) {
      emit({ type: 'resumed', cursor });
      for (const id of missed) changed.add(id);
    } else await tellAll(cursor);
    while (!end.aborted) {
      if (changed.size === 0 && access === 'as before') {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        await woken.promise;
        await wait(gatherMs, undefined, { signal: end }).catch(() => {});
        continue;
      }
      const ids = [...changed];
      const now = recent.cursor();
      const changedAccess = access;
      changed.clear();
      access = 'as before';
      await recheck();
      if (changedAccess !== 'as before') {
        const { key } = audience;
        audience = await audienceOf(db, reader);
        if (changedAccess === 'everybody' || audience.key !== key) {
          await tellAll(now);
          continue;
        }
      }
      for (const id of ids) {
        const file = await readShared(audience, id);
        // The last one says that all until here has been told.
        const place = id === ids.at(-1) && isWhole() ? { cursor: now } : {};
        if (file) emit({ type: 'changed', file, ...place });
        else if (isWhole() || told.has(id)) emit({ type: 'removed', id, ...place });
        if (file && !isWhole()) told.add(id);
        else told.delete(id);
      }
    }
  } finally {
    end.removeEventListener('abort', ended);
    stop();
  }
}
