import { useEffect, useEffectEvent, useState } from 'react';
import { findWords } from './find-words.ts';

/** What is looked through at once, each with the place where it stands: pages of a PDF, blocks of a text. */
export type Batch = readonly { at: number; pieces: readonly string[] }[];

/** Reads a document from its beginning. Another function: another document. */
export type ReadAll = (signal: AbortSignal) => AsyncIterable<Batch>;

/** One place where the words stand. */
export interface Hit {
  /** The page or block. */
  at: number;
  /** Among those of its page or block. */
  place: number;
}

export interface Found {
  words: string;
  hits: readonly Hit[];
  /** The place in the list of the one that is looked at; -1 while none is. */
  now: number;
  /** Not all is looked through yet. */
  searching: boolean;
}

/** Milliseconds without a keystroke after which is searched. */
const restMs = 200;
const nothing: Found = { words: '', hits: [], now: -1, searching: false };

export type Find = ReturnType<typeof useFind>;

/**
 * Looks for words in all of a document, from its beginning, and begins with what stands where the reader is or after
 * it.
 *
 * @param shown the page or block in view
 */
export function useFind(read: ReadAll, shown: () => number) {
  const [words, setWords] = useState('');
  const [found, setFound] = useState<Found>(nothing);
  const startAt = useEffectEvent(shown);

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
      search(read(left.signal), wanted, startAt(), left.signal, tell).catch((error: unknown) => {
        if (left.signal.aborted) return;
        console.error('The words could not be looked for.', error);
        setFound((before) => ({ ...before, searching: false }));
      });
    }, restMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [read, words]);

  const step = (by: 1 | -1) => setFound((before) => ({ ...before, now: stepped(before, by) }));
  return { words, setWords, found, step };
}

/** From the last place to the first one and back; with none chosen yet to the first or the last. */
export function stepped({ hits: { length }, now }: Pick<Found, 'hits' | 'now'>, by: 1 | -1): number {
  if (length === 0) return -1;
  if (now < 0) return by === 1 ? 0 : length - 1;
  return (now + by + length) % length;
}

async function search(
  batches: AsyncIterable<Batch>,
  words: string,
  from: number,
  signal: AbortSignal,
  tell: (found: Found) => void,
): Promise<void> {
  let hits: readonly Hit[] = [];
  let now = -1;
  tell({ words, hits, now, searching: true });
  for await (const batch of batches) {
    if (signal.aborted) return;
    const more = batch.flatMap(({ at, pieces }) => findWords(pieces, words).map((_, place) => ({ at, place })));
    if (more.length === 0) continue;
    const begins = more.findIndex(({ at }) => at >= from);
    if (now < 0 && begins >= 0) now = hits.length + begins;
    hits = [...hits, ...more];
    tell({ words, hits, now, searching: true });
  }
  tell({ words, hits, now: now < 0 && hits.length > 0 ? 0 : now, searching: false });
}
