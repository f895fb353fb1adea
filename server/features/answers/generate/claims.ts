import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { endsInAbbreviation } from '../extract/units.ts';
import { notInDocuments } from './prompt.ts';

/** Fewer telling words, and no number: "Gladly.", "That is so." Behind a marker the end of a sentence says less. */
const minTelling = { sentence: 2, rest: 3 };
/** What closes a sentence, with what may stand behind it. */
const sentenceEnd = /[.!?؟]["'»”’)\]*_]*(?=\s)|[。！？]["'»”’)\]」』*_]*|(?=\n)/gu;
/** An item's dash or number, a quote's bracket. */
const lineStart = /^(?:\s*(?:[-*+]|\d+[.)]|>)\s+)*\s*/;

/**
 * Where the first sentence or line of a text ends, or null where it may go on: only what stands behind an end shows
 * that it is one.
 */
export function endOfSentence(text: string): number | null {
  const begins = text.search(/\S/);
  if (begins === -1) return null;
  for (const { index, 0: closing } of text.matchAll(sentenceEnd)) {
    const end = index + closing.length;
    if (end <= begins) continue;
    const next = /\S/u.exec(text.slice(end));
    if (!next) return null;
    const goesOn = closing.startsWith('.') && (endsInAbbreviation(text.slice(begins, end)) || /\p{Ll}/u.test(next[0]));
    if (!goesOn || text.slice(end, end + next.index).includes('\n')) return end;
  }
  return null;
}

/**
 * Whether a sentence of a written answer says something that a document has to say, too. A heading, what leads up to a
 * list, a question, and what says next to nothing do not.
 * @param isRest it is what stands behind a marker in its sentence
 */
export function makesClaim(sentence: string, isRest: boolean): boolean {
  const said = sentence.replace(lineStart, '').trim();
  if (/^#{1,6}\s|^\*\*[^*]+\*\*:?$|[:：?？؟]["'»”’)*_]*$/u.test(said) || said.includes(notInDocuments)) return false;
  if (/\p{N}/u.test(said)) return true;
  const { terms, language } = questionTerms(said);
  // Where all are such words as every sentence has, they are all given.
  const telling = language !== null && terms.length === new Set(analyze(said)).size ? 0 : terms.length;
  return telling >= (isRest ? minTelling.rest : minTelling.sentence);
}

/** What ends a sentence, item or row. */
export const endsWhole = /[.!?:;。！？|]["'»”’)*_\s]*$/u;
