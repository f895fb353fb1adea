import { setTimeout as wait } from 'node:timers/promises';
import type { CallContext } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import type { CompanyFiles } from '../company-files.ts';
import type { RecentChanges } from './recent-changes.ts';

/** Changes that arrive within this time are told together: a parser reports many pages a second. */
const gatherMs = 100;

/**
 * Tells every change of a company's files: first all of them, or what has changed since a cursor, then each one that
 * changes or goes. Resolves when the signal aborts or the time is over; the client then asks again.
 * @throws AppError with the first change after the caller's session has ended
 */
export async function watchFiles(
  {
    db,
    companyFiles,
    recent,
    watchMs,
  }: { db: Database; companyFiles: CompanyFiles; recent: RecentChanges; watchMs: number },
  { companyId, since }: { companyId: string; since?: string | undefined },
  { signal, emit, recheck }: Pick<CallContext<'watchFiles'>, 'signal' | 'emit' | 'recheck'>,
): Promise<void> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(watchMs)]);
  const changed = new Set<string>();
  let wake = () => {};

  // Before this one listens, so that a cursor never names less than what has been told.
  await recent.listen();
  // Listening starts before the list is read, so that no change falls between the two.
  const stop = await db.listen('files', (payload) => {
    if (payload.companyId !== companyId || typeof payload.documentId !== 'string') return;
    changed.add(payload.documentId);
    wake();
  });
  const ended = () => wake();
  end.addEventListener('abort', ended);
  try {
    const cursor = recent.cursor();
    const missed = since === undefined ? null : recent.since(companyId, since);
    if (missed) {
      emit({ type: 'resumed', cursor });
      for (const id of missed) changed.add(id);
    } else emit({ type: 'files', files: await companyFiles.list(companyId), cursor });
    while (!end.aborted) {
      if (changed.size === 0) {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        await woken.promise;
        await wait(gatherMs, undefined, { signal: end }).catch(() => {});
        continue;
      }
      const ids = [...changed];
      const told = recent.cursor();
      changed.clear();
      await recheck();
      for (const id of ids) {
        const file = await companyFiles.find(companyId, id);
        // The last one says that all until here has been told.
        const place = id === ids.at(-1) ? { cursor: told } : {};
        emit(file ? { type: 'changed', file, ...place } : { type: 'removed', id, ...place });
      }
    }
  } finally {
    end.removeEventListener('abort', ended);
    stop();
  }
}
