import type { Context } from '#server/features/retrieval/retrieval.ts';

/** A message of the conversation, oldest first. */
export interface Turn {
  role: 'user' | 'model';
  text: string;
}

/** What the words of the question before count, and of the one before that (`npm run evals -- follow-ups`). */
const shares = [0.35, 0.2];

/**
 * The questions that the last one may go on from ("and in Germany?"), the latest first. Whether it does is not guessed
 * from its words: what was asked before counts for less, and so decides only where the question itself does not.
 */
export function contextOf(turns: Turn[]): Context[] {
  const [question, ...before] = turns.filter(({ role }) => role === 'user').reverse();
  return before
    .filter(({ text }) => text.trim() !== '' && text.trim() !== question?.text.trim())
    .slice(0, shares.length)
    .map(({ text }, i) => ({ text, share: shares[i] ?? 0 }));
}
