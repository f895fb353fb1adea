import type { ParsedDocument } from '#server/features/ingestion/sandbox/collector.ts';

/** Which pages could not be read and why, in one sentence; null when all could. */
export function unreadableReason({ unreadable }: Pick<ParsedDocument, 'unreadable'>): string | null {
  if (unreadable.length === 0) return null;
  const byReason = Map.groupBy(unreadable, (part) => part.why);
  return [...byReason]
    .map(([why, parts]) => {
      const pages = parts.flatMap((part) => (part.page === undefined ? [] : [part.page]));
      return pages.length === 0 ? why : `${pages.length === 1 ? 'Page' : 'Pages'} ${ranges(pages)}: ${why}`;
    })
    .join(' ');
}

/** 3, 4, 5, 9 → "3–5, 9" */
function ranges(pages: number[]): string {
  const spans: [number, number][] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && page <= last[1] + 1) last[1] = page;
    else spans.push([page, page]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
