/** Frames in a row in which nothing moved: what is drawn around the mark has its real size. */
const still = 12;
/** A second or so: after that the reader is not moved any more. */
const maxFrames = 90;

/**
 * Brings an element to the middle (or the start) of its scroller and keeps it there while what is drawn around it still
 * changes its height, until it stands still or the reader takes over.
 * @param ended called when it is over, however
 * @returns ends it at once: the reader has been sent elsewhere by something outside of the scroller
 */
export function arriveAt(
  mark: HTMLElement,
  scroller: HTMLElement,
  block: 'center' | 'start' = 'center',
  ended: () => void = () => {},
): () => void {
  const taken = new AbortController();
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    scroller.addEventListener(event, () => taken.abort(), { passive: true, signal: taken.signal });
  }
  let quiet = 0;
  let frames = 0;
  const bring = () => {
    if (taken.signal.aborted) return ended();
    const before = mark.getBoundingClientRect().top;
    mark.scrollIntoView({ block });
    quiet = Math.abs(mark.getBoundingClientRect().top - before) < 1 ? quiet + 1 : 0;
    frames++;
    if (mark.isConnected && quiet < still && frames < maxFrames) return requestAnimationFrame(bring);
    taken.abort();
    ended();
  };
  bring();
  return () => taken.abort();
}
