import { call } from './call.ts';
import { reloadCollections } from './collections.ts';
import { changeFiles, dropFiles, reloadFiles } from './company-files.ts';

/** What can be done to many files at once. */
export type ManyAction =
  | { kind: 'delete' }
  | { kind: 'retry' }
  | { kind: 'tag'; add: string[]; remove: string[] }
  | { kind: 'move'; collectionId: string };

export interface ManyResult {
  changed: number;
  /** By id, why it was not done to it. */
  refused: ReadonlyMap<string, string>;
  /** Those that it did not come to: it was stopped, or ended with the error. */
  left: readonly string[];
  error?: unknown;
}

/** As many as a call takes. */
const maxBatch = 500;
const minBatch = 25;
/** So many steps a progress has: each is a call, and calls are counted. */
const steps = 40;

/** Does something to many files, call after call. What is done shows at once, and stays done when it is stopped. */
export async function changeMany(
  action: ManyAction,
  ids: readonly string[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<ManyResult> {
  const size = Math.min(maxBatch, Math.max(minBatch, Math.ceil(ids.length / steps)));
  const refused = new Map<string, string>();
  let changed = 0;
  let from = 0;
  try {
    for (; from < ids.length && !signal.aborted; from += size) {
      const batch = ids.slice(from, from + size);
      const outcome = await send(action, batch, signal);
      changed += outcome.changed;
      for (const { documentId, message } of outcome.refused) refused.set(documentId, message);
      show(
        action,
        batch.filter((id) => !refused.has(id)),
      );
      onProgress(Math.min(from + size, ids.length));
    }
  } catch (error) {
    // Some of the last ones may be done.
    void reloadFiles();
    return { changed, refused, left: ids.slice(from), ...(!signal.aborted && { error }) };
  }
  return { changed, refused, left: ids.slice(from) };
}

async function send(action: ManyAction, documentIds: readonly string[], signal: AbortSignal) {
  const input = { documentIds: [...documentIds] };
  if (action.kind === 'delete') return call('deleteFiles', input, { signal });
  if (action.kind === 'retry') return call('retryFiles', input, { signal });
  if (action.kind === 'move') {
    await call('moveDocuments', { ...input, collectionId: action.collectionId }, { signal });
    void reloadCollections();
    return { changed: documentIds.length, refused: [] };
  }
  return call('tagFiles', { ...input, add: action.add, remove: action.remove }, { signal });
}

/** What is known of it before the server tells. */
function show({ kind }: ManyAction, ids: readonly string[]): void {
  if (kind === 'delete') dropFiles(ids);
  if (kind === 'retry') {
    changeFiles(ids, ({ reason: _, progress: __, ...file }) => ({ ...file, state: 'queued' }));
  }
}
