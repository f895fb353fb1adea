import { type Measures, together } from '#server/features/retrieval/question/coverage.ts';
import { partsOf, possibleNames } from '#server/features/retrieval/question/names.ts';
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
  const names = [...question.names.union(knownNames(question, questionText, passages, about))].filter((term) =>
    about.has(term),
  );
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

/** No part of an address or of a word with hyphens: "www.acme.com" says nothing of how Acme is written. */
const smallWord = /(?<![\p{L}\p{N}./@_-])\p{Ll}+(?![\p{L}\p{N}/@_-]|\.\p{L})/gu;
const capitalWithinSentence = /(?<=\p{Ll}[,;]? )\p{Lu}[\p{L}\p{N}]*/gu;

/**
 * Terms of words that the passages know as names, where the question's writing does not tell. Nowhere do they have the
 * word in small letters, and documents alone that are about it have it; or, as first word, it has a capital within a
 * sentence.
 */
function knownNames(
  question: Question,
  questionText: string,
  passages: readonly { passage: RetrievedPassage }[],
  about: ReadonlySet<string>,
): Set<string> {
  const tellsApart = (term: string) => passages.some(({ passage }) => !passage.named.includes(term));
  const possible = possibleNames(questionText, question).filter(
    ({ terms }) => terms.some((term) => about.has(term)) && terms.every(tellsApart),
  );
  if (possible.length === 0) return new Set();
  const texts = passages.map(({ passage }) => passage.text);
  const small = new Set(texts.flatMap((text) => text.match(smallWord) ?? []));
  const capitals = new Set(texts.flatMap((text) => text.match(capitalWithinSentence) ?? []).map(inSmall));
  const isOfItsDocuments = (term: string) =>
    passages.every(({ passage: { named, inDocument } }) => named.includes(term) || !inDocument.includes(term));
  const known = possible.filter(({ text, terms, isFirst }) => {
    const parts = partsOf(text);
    if (parts.some((each) => small.has(each))) return false;
    return terms.every(isOfItsDocuments) || (isFirst && parts.every((each) => capitals.has(each)));
  });
  return new Set(known.flatMap(({ terms }) => terms));
}

function inSmall(word: string): string {
  return word.toLowerCase();
}
