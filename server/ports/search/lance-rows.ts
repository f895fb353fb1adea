const attempts = 5;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Filters and table names are strings to the engine: only ids get into them. */
export function checkedId(id: string): string {
  const lower = id.toLowerCase();
  if (!uuid.test(lower)) throw new Error('not an id');
  return lower;
}

export function idList(ids: string[]): string {
  return ids.map((id) => `'${checkedId(id)}'`).join(', ');
}

/** A chunk with its document in one value: where the one is wanted, so is the other. */
export function keyOf({ id, documentId }: { id: string; documentId: string }): string {
  return `${checkedId(documentId)}/${checkedId(id)}`;
}

export function readKey(key: string): { id: string; documentId: string } {
  const [documentId = '', id = ''] = key.split('/');
  return { id, documentId };
}

export function keyList(chunks: { id: string; documentId: string }[]): string {
  return chunks.map((chunk) => `'${keyOf(chunk)}'`).join(', ');
}

/** Two writers at once can meet in a commit; the one that loses tries again on what the other has written. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !/conflict|concurrent/i.test(String(error))) throw error;
    }
  }
}
