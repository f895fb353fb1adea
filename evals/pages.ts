import { type Peer, textbookBm25 } from './peer.ts';

/** A page of a file, as another reader of PDF has its text. */
export interface Page {
  doc: string;
  /** 1-based. */
  page: number;
  text: string;
}

/** Of words; half of each is in the next one, too. */
const windowSize = 200;

/**
 * BM25 over the texts of pages, and over windows of them: what a careful user of the textbook would have. The name of
 * the file goes with each, and the years in it by themselves, since `2018FinancialReport` is one word to it.
 * @returns engines whose search gives `file#page`, best first
 */
export async function pagePeers(pages: Page[]): Promise<Peer[]> {
  const whole = pages.map(({ doc, page, text }) => ({ id: pageId(doc, page), doc, title: titleOf(doc), text }));
  const windows = pages.flatMap(({ doc, page, text }) =>
    windowsOf(text).map((window, i) => ({ id: `${pageId(doc, page)}#${i}`, doc, title: titleOf(doc), text: window })),
  );
  const overWindows = await textbookBm25(windows);
  return [
    { ...(await textbookBm25(whole)), name: 'BM25 over pages' },
    {
      ...overWindows,
      name: 'BM25 over windows',
      // A page counts once, by its best window.
      search: async (question) => [
        ...new Set((await overWindows.search(question, 5)).map((id) => id.slice(0, id.lastIndexOf('#')))),
      ],
    },
  ];
}

export function pageId(doc: string, page: number): string {
  return `${doc}#${page}`;
}

function titleOf(doc: string): string {
  const years = doc.match(/(?<!\d)(19|20)\d\d(?!\d)/g) ?? [];
  return [doc.replace(/\.pdf$/i, ''), ...years].join(' ');
}

function windowsOf(text: string): string[] {
  const words = text.split(/\s+/);
  const windows: string[] = [];
  for (let start = 0; start === 0 || start + windowSize / 2 < words.length; start += windowSize / 2)
    windows.push(words.slice(start, start + windowSize).join(' '));
  return windows;
}
