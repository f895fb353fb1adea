import { AppError } from '#contract/errors.ts';

/** Notes a stream that a person opens; returns what is called when it has ended. */
export type NoteStream = (userId: string, end: (reason: AppError) => void) => () => void;

/**
 * Lets each person have so many streams open in this process. Of more the oldest ends: a tab that was forgotten must
 * not keep a new one from working.
 */
export function createOpenStreams(maxPerPerson: number): NoteStream {
  const open = new Map<string, Set<(reason: AppError) => void>>();

  return (userId, end) => {
    const ofPerson = open.get(userId) ?? new Set();
    open.set(userId, ofPerson);
    // Its own entry, in the order of opening.
    const entry = (reason: AppError) => end(reason);
    ofPerson.add(entry);
    for (const oldest of ofPerson) {
      if (ofPerson.size <= maxPerPerson) break;
      ofPerson.delete(oldest);
      oldest(new AppError('too-many-streams'));
    }
    return () => {
      ofPerson.delete(entry);
      if (ofPerson.size === 0 && open.get(userId) === ofPerson) open.delete(userId);
    };
  };
}
