import type { CallOutput } from '#contract/calls.ts';
import { type Question, readQuestions } from '../samples/questions.ts';
import { shownOf } from './asked.ts';
import type { Harness } from './harness.ts';
import { plain } from './plain.ts';
import { sampleSources } from './sample-sources.ts';

export interface AskedSample {
  question: Question;
  answer: CallOutput<'query'>;
  /** The right words of the right file are quoted, of a table the right row; what is not there is refused. */
  isRight: boolean;
}

/** Reads the documents of samples/ as the product does, and asks the questions written for them. */
export async function askSamples(harness: Harness): Promise<AskedSample[]> {
  const { actor } = await harness.load(await sampleSources());
  const asked: AskedSample[] = [];
  for (const question of readQuestions()) {
    const turns = [...('history' in question ? (question.history ?? []) : []), question.question];
    const history = turns.map((text, i) => ({
      role: (turns.length - 1 - i) % 2 === 0 ? ('user' as const) : ('model' as const),
      parts: [{ text }],
    }));
    const answer = await harness.answers.query(actor, { history }, { signal: new AbortController().signal, emit() {} });
    asked.push({ question, answer, isRight: isRight(question, answer) });
  }
  return asked;
}

function isRight(question: Question, { answered, sources }: CallOutput<'query'>): boolean {
  if (question.kind === 'unanswerable') return !answered;
  return shownOf({ sources }).some(
    ({ name, page, quote }) =>
      name === question.file &&
      (question.page === undefined || page === question.page) &&
      plain(quote).includes(plain(question.answer)) &&
      plain(quote).includes(plain(question.row ?? '')),
  );
}
