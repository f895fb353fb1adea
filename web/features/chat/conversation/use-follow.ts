import { type RefObject, useEffect } from 'react';

/** So near to the end, in CSS pixels, a reader counts as being there. */
const nearEnd = 48;
const above = 28;
/** How much of the window a question may take, where it does not fit, before what it is answered with. */
const mostOfQuestion = 0.4;

/**
 * Scrolls with a conversation that grows, as long as the reader is at its end, and never further than that its last
 * question stands at the top, or the end of a question that would fill the window: what is being read does not move
 * away. Without a question the greeting is read from its beginning.
 *
 * @param asked changes when a new question was asked, which the reader wants to see
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  asked: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question starts anew
  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current];
    if (!outer || !inner) return;
    let following = true;
    let reached = outer.scrollTop;
    const follow = () => {
      if (!following) return;
      const question = [...inner.querySelectorAll<HTMLElement>('[data-question]')].at(-1);
      if (!question) return;
      const end = outer.scrollHeight - outer.clientHeight;
      const { offsetTop, offsetHeight } = question;
      const most = Math.max(offsetTop - above, offsetTop + offsetHeight - outer.clientHeight * mostOfQuestion);
      outer.scrollTop = Math.max(Math.min(end, most), outer.scrollTop);
      reached = outer.scrollTop;
    };
    const notice = () => {
      // Our own scrolling is told late, when more may have come: only a place we did not choose is the reader's.
      if (Math.abs(outer.scrollTop - reached) < 2) return;
      reached = outer.scrollTop;
      following = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearEnd;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(outer);
    outer.addEventListener('scroll', notice, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener('scroll', notice);
    };
  }, [scroller, content, asked]);
}
