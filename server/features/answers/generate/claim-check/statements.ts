import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import { analyze } from '#server/lib/analyze.ts';
import { negationsIn } from './negation.ts';
import type { PreparedUnit } from './passage.ts';

/** A sentence that leads up to others says so much of a claim itself, or nothing of it. */
const minOfLead = 0.6;

/** "It has these differences:" says nothing of what follows, though that stands beside it. */
export function leadsUp(of: PreparedUnit | undefined, { of: coverageOf, share }: Measures): boolean {
  return of !== undefined && /[:：]$/.test(of.unit.text.trimEnd()) && share(coverageOf(of.terms)) < minOfLead;
}

/** "How many were built: none" denies what is asked. */
export function isDenial(answer: string): boolean {
  return negationsIn(answer).length === 1 && analyze(answer).length <= 1;
}

/** What a document asks it does not say. */
export function isQuestion(text: string): boolean {
  return /[?？؟]["'»”’)\]\s]*$/u.test(text);
}
