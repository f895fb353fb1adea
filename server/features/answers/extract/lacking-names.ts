import { type Measures, together } from '#server/features/retrieval/question/coverage.ts';
import { firstWord } from '#server/features/retrieval/question/names.ts';
import { type Question, type RetrievedPassage, termsFor } from '#server/features/retrieval/retrieval.ts';

/**
 * Tells how much a passage lacks of the names in a question that some document here is about: who asks for one
 * organisation is not asking for another's figures.
 */
export function createNameCheck(
  question: Question,
  questionText: string,
  passages: readonly { passage: RetrievedPassage }[],
  { of }: Measures,
): (passage: RetrievedPassage) => number {
  const asked = [...question.weights.keys()];
  const about = new Set(passages.flatMap(({ passage }) => passage.named));
  const first = firstWord(questionText, question);
  const asNames = new Set([...question.names, ...(first && isWrittenAsName(first.text, passages) ? first.terms : [])]);
  const names = [...asNames].filter((term) => about.has(term));
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

/** Whether the passages write a word with a capital within sentences, and nowhere in small letters. */
function isWrittenAsName(word: string, passages: readonly { passage: RetrievedPassage }[]): boolean {
  const asName = new RegExp(`(?<=\\p{Ll}[,;]? )${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, 'u');
  const small = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word.toLowerCase())}(?![\\p{L}\\p{N}])`, 'u');
  const texts = passages.map(({ passage }) => passage.text);
  return texts.some((text) => asName.test(text)) && !texts.some((text) => small.test(text));
}
