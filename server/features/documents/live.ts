import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#server/db/db.ts';
import type { CallContext } from '#server/http/handlers.ts';
import type { Documents } from './documents.ts';

/** Changes that arrive within this time are told together: a parser reports many pages a second. */
const gatherMs = 100;

/**
 * Tells every change of a company's files: first all of them, then each one that changes or goes.
 * Resolves when the signal aborts or the time is over; the client then asks again.
 * @throws AppError with the first change after the caller's session has ended
 */
export async function watchFiles(
  { db, documents, watchMs }: { db: Database; documents: Documents; watchMs: number },
  companyId: string,
  { signal, emit, recheck }: Pick<CallContext<'watchFiles'>, 'signal' | 'emit' | 'recheck'>,
): Promise<void> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(watchMs)]);
  const changed = new Set<string>();
  let wake = () => {};

  // Listening starts before the list is read, so that no change falls between the two.
  const stop = await db.listen('files', (payload) => {
    if (payload.companyId !== companyId || typeof payload.documentId !== 'string') return;
    changed.add(payload.documentId);
    wake();
  });
  const ended = () => wake();
  end.addEventListener('abort', ended);
  try {
    emit({ type: 'files', files: await documents.list(companyId) });
    while (!end.aborted) {
      if (changed.size === 0) {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        await woken.promise;
        await wait(gatherMs, undefined, { signal: end }).catch(() => {});
        continue;
      }
      const ids = [...changed];
      changed.clear();
      await recheck();
      for (const id of ids) {
        const file = await documents.find(companyId, id);
        emit(file ? { type: 'changed', file } : { type: 'removed', id });
      }
    }
  } finally {
    end.removeEventListener('abort', ended);
    stop();
  }
}
