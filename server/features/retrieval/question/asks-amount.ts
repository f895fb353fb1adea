import { yearsIn } from '#server/lib/periods.ts';
import { answerType } from './answer-type.ts';
import { asksToWorkOut } from './worked-out.ts';

/**
 * Whether a question asks for an amount, or for nothing that its words tell, and of a year or to work something out.
 */
export function asksAmount(question: string): boolean {
  const type = answerType(question);
  return type === 'amount' || (type === null && (yearsIn(question).size > 0 || asksToWorkOut(question)));
}
