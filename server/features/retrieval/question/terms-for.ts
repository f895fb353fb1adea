import { LRUCache } from 'lru-cache';
import { analyze } from '#server/lib/analyze.ts';
import type { Question } from './question.ts';

/** Bytes, by a rough count. A question reads some 60,000 characters, of which the next one reads many again. */
const maxKnown = 24 * 1024 * 1024;
/** Longer texts are hardly read twice, and would make others go. */
const maxKnownText = 4000;
const bytesOfEach = 150;

/**
 * The terms of sentences, rows and headings, by language: each is read as a line that puts its passage in order and as
 * what may be quoted, and again for the next question that finds its passage.
 */
const known = new LRUCache<string, readonly string[]>({
  maxSize: maxKnown,
  sizeCalculation: (terms, key) => bytesOfEach + 2 * key.length + 8 * terms.length,
});

/** The terms of a passage, those that are the question's words in another language's form as the question has them. */
export function termsFor(
  { elsewhere }: Pick<Question, 'elsewhere'>,
  text: string,
  language: string | null = null,
): readonly string[] {
  const plain = termsIn(text, language);
  return elsewhere.size === 0 ? plain : plain.map((term) => elsewhere.get(term) ?? term);
}

function termsIn(text: string, language: string | null): readonly string[] {
  if (text.length > maxKnownText) return analyze(text, language);
  const key = `${language ?? ''}\n${text}`;
  const before = known.get(key);
  if (before) return before;
  const terms = analyze(text, language);
  known.set(key, terms);
  return terms;
}
