import { type Measures, together } from '#server/features/retrieval/question/coverage.ts';
import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';

/**
 * Tells how much a passage lacks of the names in a question that some document here is about: who asks for one
 * organisation is not asking for another's figures.
 */
export function createNameCheck(
  question: Question,
  passages: readonly { passage: RetrievedPassage }[],
  { of }: Measures,
): (passage: RetrievedPassage) => number {
  const asked = [...question.weights.keys()];
  const about = new Set(passages.flatMap(({ passage }) => passage.named));
  const names = [...question.names].filter((term) => about.has(term));
  const weightOf = (term: string) => question.weights.get(term) ?? 0;
  const all = names.reduce((sum, term) => sum + weightOf(term), 0);
  if (all === 0) return () => 0;
  return (passage) => {
    const { named, text, headingPath, language } = passage;
    const there = together(of(named), of(termsFor(question, `${headingPath.join(' ')} ${text}`, language)));
    let missing = 0;
    for (const term of names) missing += (1 - (there[asked.indexOf(term)] ?? 0)) * weightOf(term);
    return missing / all;
  };
}
