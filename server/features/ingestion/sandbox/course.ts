import type { RecognisedPage } from '../parsers/parser.ts';

/** How far the reading of a document has come, over all of its turns. */
export interface Course {
  /** Pages that were recognised. */
  known: RecognisedPage[];
  /** Of its time. */
  usedMs: number;
  /** Units that were said to be done. */
  done: number;
}

/**
 * Tells of each recognised page whether the turn has lasted long enough. It begins with getting back to where the
 * document was, and goes on for at least as long after that: else going back and forth would take more than reading.
 */
export function progressOfTurn({ known }: Course, turnMs: number): (page: RecognisedPage) => boolean {
  const spentBefore = known.at(-1)?.spentMs ?? 0;
  const beganAt = performance.now();
  // The first turn does nothing again.
  let backMs = known.length === 0 ? 0 : undefined;
  return ({ spentMs }) => {
    const spent = spentMs - spentBefore;
    backMs ??= Math.max(0, performance.now() - beganAt - spent);
    return spent >= Math.max(turnMs, Math.min(backMs, maxBackMs));
  };
}

/** On a machine that is busy with others the way back takes long by the clock. */
const maxBackMs = 30_000;

/** Passes progress on, but not that of the way back to where the document was. */
export function onwards(
  { onProgress }: { onProgress?: (done: number, total: number) => void },
  course: Course,
): (done: number, total: number) => void {
  return (done, total) => {
    if (done < course.done) return;
    course.done = done;
    onProgress?.(done, total);
  };
}
