import { type RefObject, useState } from 'react';
import { arriveAt } from './arrive.ts';

/** What a reader is brought to: the cited passage, or the place of the words that she looks for. */
export type Aim = 'cited' | 'lit';

/**
 * Brings the reader to each aim once: a page that is drawn anew, since it was scrolled away, does not pull her back to
 * it. What it gives stays the same for as long as the scroller does.
 */
export function useReaching(scroller: RefObject<HTMLElement | null>): Reaching {
  const [reaching] = useState(() => reachIn(scroller));
  return reaching;
}

export interface Reaching {
  /** Goes to the element, unless this very aim has been reached. @param what tells one aim of a kind from the next */
  toOnce: (kind: Aim, what: unknown, element: HTMLElement) => void;
  /** Takes an aim for reached: the reader has gone elsewhere. */
  skip: (kind: Aim, what: unknown) => void;
  /** Goes to it once more, when it is drawn anew. */
  again: (kind: Aim) => void;
  isOnWayTo: (kind: Aim) => boolean;
  /** Ends the way to any of them. */
  stop: () => void;
}

function reachIn(scroller: RefObject<HTMLElement | null>): Reaching {
  const reached: Record<Aim, unknown> = { cited: null, lit: null };
  let way: { kind: Aim; stop: () => void } | null = null;
  return {
    toOnce: (kind, what, element) => {
      if (reached[kind] === what || !scroller.current) return;
      reached[kind] = what;
      way?.stop();
      const mine = { kind, stop: () => {} };
      way = mine;
      mine.stop = arriveAt(element, scroller.current, 'center', () => {
        if (way === mine) way = null;
      });
    },
    skip: (kind, what) => {
      reached[kind] = what;
    },
    again: (kind) => {
      reached[kind] = null;
    },
    isOnWayTo: (kind) => way?.kind === kind,
    stop: () => {
      way?.stop();
      way = null;
    },
  };
}
