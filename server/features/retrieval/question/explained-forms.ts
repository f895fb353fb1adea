import type { ExplainedForms } from './statistics.ts';

const word = /[\p{L}\p{N}][\p{L}\p{N}&./-]*/gu;
/** Looked for from the first of them on: of a row of signs within a word not each begins one that may reach the end. */
const signsAtEnd = /(?<![&./-])[&./-]+$/u;
/** Two letters are a word in small ones: "it", "or". */
const minAnyCase = 3;

/**
 * The other forms of what a question names, as the documents explain them: `PPE` for "property, plant and equipment",
 * and the rarest word of that, which tells it from others, for `PPE`.
 * @param own the question's terms
 * @returns terms of documents, each with the question's own one that it stands for
 */
export function explainedForms(
  text: string,
  own: ReadonlySet<string>,
  explained: readonly ExplainedForms[],
  idf: (term: string) => number,
): Map<string, string> {
  const forms = new Map<string, string>();
  if (explained.length === 0) return forms;
  // "PPE." may be the end of a sentence, "e.V." is not.
  const written = new Set((text.match(word) ?? []).flatMap((each) => [each, each.replace(signsAtEnd, '')]));
  const lower = new Set([...written].map((each) => each.toLowerCase()));
  const rarity = (forms: readonly string[]) => Math.min(...forms.map(idf));
  const rarest = (words: readonly (readonly string[])[]) =>
    words.toSorted((one, other) => rarity(other) - rarity(one))[0] ?? [];
  for (const { short, shortTerm, long, words } of explained) {
    if (written.has(short) || (short.length >= minAnyCase && lower.has(short.toLowerCase()))) {
      if (own.has(shortTerm)) for (const term of rarest(words)) forms.set(term, shortTerm);
    }
    const isSaid = long.length > 1 && long.every((each) => own.has(each));
    const said = isSaid ? rarest(words).find((term) => own.has(term)) : undefined;
    if (said !== undefined) forms.set(shortTerm, said);
  }
  return forms;
}
