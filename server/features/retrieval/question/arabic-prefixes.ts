import { analyze } from '#server/lib/analyze.ts';

/** A word of Arabic, or a number behind letters of it, that begins with "and", "so", "in", "for" or "like". */
const prefixed =
  /(?<![\p{L}\p{N}])[وفبلك]{1,2}(?=[\u0621-\u064a\u064b-\u0655\u0640]{3}|\d{2})[\u0621-\u064a\u064b-\u0655\u0640\d]+/gu;
const maxPrefix = 2;
/** Characters of a question that are looked at. */
const maxLength = 2000;

/**
 * Arabic writes one-letter words together with the next: `لعدد` is "for the number", `و2005` "and 2005". Which of them
 * are letters of the word itself only the documents' words tell.
 * @returns the terms without them, each with the question's own term
 */
export function withoutPrefixes(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [token] of text.slice(0, maxLength).matchAll(prefixed)) {
    const [own, ...others] = analyze(token);
    if (own === undefined || others.length > 0) continue;
    for (let length = 1; length <= maxPrefix; length++) {
      if (!/^[وفبلك]+$/u.test(token.slice(0, length))) break;
      const [bare, ...more] = analyze(token.slice(length));
      if (bare !== undefined && more.length === 0 && bare !== own && bare.length > 1 && !found.has(bare))
        found.set(bare, own);
    }
  }
  return found;
}
