import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Milliseconds in which a thing comes, goes or moves: `--motion` of `tokens.css`. */
export const motionMs = 160;

const easing = 'cubic-bezier(0.2, 0, 0, 1)';

/** The reader wants nothing to move. */
function wantsStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** What is shown; once it is gone (null), what was shown last, for as long as it takes to go. */
export function useLeaving<Shown>(shown: Shown | null): Shown | null {
  const [last, setLast] = useState(shown);
  if (shown !== null && shown !== last) setLast(() => shown);
  useEffect(() => {
    if (shown !== null) return;
    const timer = setTimeout(() => setLast(null), motionMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return shown ?? (wantsStillness() ? null : last);
}

/**
 * Shows where the parts of a list have gone when it changes: those that are new fade in, the others move from where
 * they were. What is there when the list is first drawn stands still.
 *
 * @param list another one for each change: drawn anew with the same one, nothing moves
 * @param parts a selector of the parts inside of the box
 */
export function useMoves(box: RefObject<HTMLElement | null>, list: unknown, parts = ':scope > *'): void {
  const before = useRef<{ list: unknown; places: Map<HTMLElement, { top: number; left: number }> }>(null);
  // After each drawing: a list that is drawn in parts has others after each scroll.
  useLayoutEffect(() => {
    const elements = [...(box.current?.querySelectorAll<HTMLElement>(parts) ?? [])];
    const places = new Map(elements.map((each) => [each, { top: each.offsetTop, left: each.offsetLeft }]));
    const was = before.current;
    before.current = { list, places };
    if (!was || was.list === list || was.places.size === 0 || wantsStillness()) return;
    for (const [element, { top, left }] of places) {
      const from = was.places.get(element);
      const x = (from?.left ?? left) - left;
      const y = (from?.top ?? top) - top;
      if (!from) element.animate({ opacity: [0, 1] }, { duration: motionMs, easing });
      else if (x !== 0 || y !== 0)
        element.animate({ transform: [`translate(${x}px, ${y}px)`, 'none'] }, { duration: motionMs, easing });
    }
  });
}
