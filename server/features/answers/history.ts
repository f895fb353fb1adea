import type { Context } from '#server/features/retrieval/retrieval.ts';
import { smallTalkOf } from './agent/small-talk.ts';

/** A message of the conversation, oldest first. */
export interface Turn {
  role: 'user' | 'model';
  text: string;
}

/**
 * What the words of the question before count, of the one before that, and of the beginning of the last answer
 * (`npm run evals -- follow-ups`, decision 0014).
 */
const shares = { questions: [0.35, 0.2], answer: 0.1 };
/** Of the last answer: it says first what it is about. */
const answerLength = 300;

/**
 * What the last question may go on from ("and in Germany?"): the questions before it, the latest first, and the last
 * answer. What was said before counts for less, and for next to nothing where the question does not point back.
 */
export function contextOf(turns: Turn[]): Context[] {
  const [question, ...before] = turns.filter(({ role }) => role === 'user').reverse();
  const asked = before
    .filter(({ text }) => text.trim() !== '' && text.trim() !== question?.text.trim())
    .slice(0, shares.questions.length)
    .map(({ text }, i) => ({ text, share: shares.questions[i] ?? 0 }));
  const answer = turns.findLast(({ role }) => role === 'model')?.text.slice(0, answerLength) ?? '';
  return answer.trim() === '' ? asked : [...asked, { text: answer, share: shares.answer }];
}

/** The question that one which points back goes on from: the last that asks for something else. */
export function topicBefore(turns: readonly Turn[]): string | undefined {
  const asked = turns.at(-1)?.text.trim();
  return turns
    .slice(0, -1)
    .findLast(({ role, text }) => role === 'user' && ![asked, ''].includes(text.trim()) && !smallTalkOf(text))?.text;
}
