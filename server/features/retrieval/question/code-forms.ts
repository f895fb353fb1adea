const code = /^(\p{L}{1,5})(-?)(\d{1,8}\p{L}{0,2})$/u;

/**
 * Codes that no document has as they are asked for, and documents write with a hyphen, or without one: `E-204` for
 * e204, `TS540` for ts-540.
 * @returns the terms that documents have, each with the question's own
 */
export function codeForms(terms: readonly string[], has: (term: string) => boolean): Map<string, string> {
  const found = new Map<string, string>();
  for (const term of terms) {
    const [, letters = '', hyphen = '', figures = ''] = (!has(term) && code.exec(term)) || [];
    const other = letters + (hyphen === '' ? '-' : '') + figures;
    if (letters !== '' && has(other) && !terms.includes(other)) found.set(other, term);
  }
  return found;
}
