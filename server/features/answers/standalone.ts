import { questionTerms } from '#server/lib/analyze.ts';

/** A message of the conversation, oldest first. */
export interface Turn {
  role: 'user' | 'model';
  text: string;
}

/** A question of more telling words than this stands by itself. */
const shortQuestion = 3;
const pointsBack =
  /^(and|or|but|also|what about|how about|und|oder|aber|auch|wie (sieht|ist) es|et|y|e)\b|\b(it|they|them|that|this|those|these|he|she|there|es|sie|das|dies|diese[rsnm]?|dort|er)\b/i;

/**
 * The question as it would be asked without the conversation. A short follow-up ("and in Germany?") is put behind the
 * question it follows; the words of both are searched, its own first.
 */
export function standaloneQuestion(turns: Turn[]): string {
  const question = turns.at(-1)?.text.trim() ?? '';
  const before = turns
    .slice(0, -1)
    .findLast((turn) => turn.role === 'user')
    ?.text.trim();
  if (before === undefined || before === question) return question;
  const telling = questionTerms(question).terms;
  const followsUp = telling.length <= shortQuestion && (pointsBack.test(question) || telling.length <= 1);
  return followsUp ? `${question} ${before}` : question;
}
