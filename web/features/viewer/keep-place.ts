import { type RefObject, useEffect } from 'react';
import { arriveAt } from './arrive.ts';

/** What stands by itself in a text: one of them is held on to. */
const pieces = 'h1, h2, h3, h4, h5, h6, p, li, tr, pre';

/**
 * Keeps a text at its place when its width changes (a phone is turned, the edge of a panel is dragged): the mark, where
 * it is in sight, else what stands at the top. Lines break anew then, and the same offset is another place.
 */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = scroller.current;
    if (!view) return;
    let width = view.clientWidth;
    let held: HTMLElement | null = null;
    const look = () => {
      // The browser scrolls, too, when the text becomes shorter: that is not where the reader went.
      if (view.clientWidth === width) held = inSight(view);
    };
    const observer = new ResizeObserver(() => {
      if (view.clientWidth === width) return;
      width = view.clientWidth;
      if (held?.isConnected) arriveAt(held, view, held.tagName === 'MARK' ? 'center' : 'start');
    });
    observer.observe(view);
    view.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      view.removeEventListener('scroll', look);
    };
  }, [scroller]);
}

function inSight(view: HTMLElement): HTMLElement | null {
  const mark = view.querySelector<HTMLElement>('mark');
  if (mark && isSeen(mark, view)) return mark;
  return Array.from(view.querySelectorAll<HTMLElement>(pieces)).find((each) => isSeen(each, view)) ?? null;
}

/** Whether some of it stands between the scroller's edges. */
export function isSeen(element: HTMLElement, scroller: HTMLElement): boolean {
  const { top, bottom } = scroller.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return box.bottom > top && box.top < bottom;
}
