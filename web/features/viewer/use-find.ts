import { useEffect, useEffectEvent, useState } from 'react';
import { findWords } from './find-words.ts';
import { type PDFDocumentProxy, textOf } from './pdf.ts';

/** One place where the words stand. */
export interface Hit {
  page: number;
  /** Among those of its page. */
  place: number;
}

export interface Found {
  words: string;
  hits: readonly Hit[];
  /** The place in the list of the one that is looked at; -1 when there is none. */
  now: number;
  /** Pages are still looked through. */
  searching: boolean;
}

/** Milliseconds without a keystroke after which is searched. */
const restMs = 200;
const nothing: Found = { words: '', hits: [], now: -1, searching: false };

/**
 * Looks for words on all pages of a PDF, from the first on, and begins with what stands on the page that is shown or
 * after it.
 *
 * @param shown the page in view
 */
export function useFind(pdf: PDFDocumentProxy, shown: number) {
  const [words, setWords] = useState('');
  const [found, setFound] = useState<Found>(nothing);
  const startPage = useEffectEvent(() => shown);

  useEffect(() => {
    const wanted = words.trim();
    if (wanted === '') {
      setFound(nothing);
      return;
    }
    const left = new AbortController();
    const timer = setTimeout(() => {
      // Who has gone on meanwhile to the next place stays there.
      const tell = (next: Found) =>
        setFound(({ words: before, now }) => (before === next.words && now >= 0 ? { ...next, now } : next));
      search(pdf, wanted, startPage(), left.signal, tell).catch((error: unknown) => {
        if (left.signal.aborted) return;
        console.error('The words could not be looked for.', error);
        setFound((before) => ({ ...before, searching: false }));
      });
    }, restMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [pdf, words]);

  const step = (by: 1 | -1) =>
    setFound((before) => {
      const { length } = before.hits;
      return length === 0 ? before : { ...before, now: (before.now + by + length) % length };
    });
  return { words, setWords, found, step };
}

async function search(
  pdf: PDFDocumentProxy,
  words: string,
  from: number,
  signal: AbortSignal,
  tell: (found: Found) => void,
): Promise<void> {
  const hits: Hit[] = [];
  let now = -1;
  tell({ words, hits: [], now, searching: true });
  for (let page = 1; page <= pdf.numPages; page++) {
    const pieces = await textOf(pdf, page);
    if (signal.aborted) return;
    const places = findWords(pieces, words).length;
    if (places === 0) continue;
    if (now < 0 && page >= from) now = hits.length;
    for (let place = 0; place < places; place++) hits.push({ page, place });
    tell({ words, hits: [...hits], now, searching: true });
  }
  tell({ words, hits, now: now < 0 && hits.length > 0 ? 0 : now, searching: false });
}
