import type { UploadItem } from './upload-item.ts';

/** How far many uploads are together. */
export function totalsOf(items: readonly UploadItem[]) {
  const bytes = { sent: 0, all: 0 };
  let [done, failed] = [0, 0];
  for (const { state, sent, file } of items) {
    if (state === 'done') done++;
    if (state === 'failed') failed++;
    bytes.sent += Math.min(sent, file.size);
    bytes.all += file.size;
  }
  return { done, failed, bytes };
}

const ranks: Record<UploadItem['state'], number> = { failed: 0, sending: 1, waiting: 2, chosen: 2, done: 3 };

/** What failed, what runs, what waits, what is done; each as it was chosen. */
export function inOrder(items: readonly UploadItem[]): UploadItem[] {
  return items.toSorted((a, b) => ranks[a.state] - ranks[b.state]);
}
