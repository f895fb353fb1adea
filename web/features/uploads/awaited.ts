import { createStore, useStore } from '#web/lib/store.ts';

/** Ids of documents that were uploaded and are not read yet. */
const awaited = createStore<readonly string[]>([]);

/** Says when all of these are read, and what to do next. */
export function awaitProcessing(documentIds: readonly string[]): void {
  if (documentIds.length > 0) awaited.set([...new Set([...awaited.value, ...documentIds])]);
}

/** Nobody is told any more. */
export function stopAwaiting(): void {
  awaited.set([]);
}

export function useAwaited(): readonly string[] {
  return useStore(awaited);
}
