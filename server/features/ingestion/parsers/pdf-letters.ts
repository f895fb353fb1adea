import type { TextItem } from '@llamaindex/liteparse';

/** Letters that are shown by one character of a font, and those of fonts that store Arabic as shapes. */
const presentationForms = /[\uFB00-\uFB06\uFB13-\uFB17\uFB1D-\uFDFB\uFE70-\uFEFC]/g;

/**
 * Takes off Markdown's emphasis, escapes and marks of struck words, which the layout reader writes into prose: quotes
 * are the page's words.
 */
export function withoutMarkup(text: string): string {
  return withoutStrikes(text).replace(/\\([\\*_])|\*+/g, (_all, escaped: string | undefined) => escaped ?? '');
}

/** Takes off the marks of struck words alone; a longer row of tildes leads to a figure. */
export function withoutStrikes(text: string): string {
  return text.replace(/(?<!~)~~(?!~)/g, '');
}

/** Ligatures and Arabic shapes as the letters that people type, as the PDF viewer's search does. */
export function plainLetters(text: string): string {
  return text.replace(presentationForms, (form) => form.normalize('NFKC'));
}

export function isRightToLeft(text: string): boolean {
  const sample = text.slice(0, 4000);
  const rightToLeft =
    sample.match(/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu)?.length ?? 0;
  return rightToLeft > (sample.match(/\p{L}/gu)?.length ?? 0) * 0.3;
}

/** Fonts without a character table give private or replacement characters: that is no text. */
export function hasReadableText(text: string): boolean {
  const characters = text.match(/\S/gu)?.length ?? 0;
  const unreadable = text.match(/[\p{Co}\p{Cc}\uFFFD]/gu)?.length ?? 0;
  return /[\p{L}\p{N}]/u.test(text) && unreadable < characters * 0.3;
}

/** The first halves of words that a line's end may have broken. */
export function wordsBrokenAtLineEnds(items: TextItem[]): Set<string> {
  return new Set(items.flatMap(({ text }) => /(\p{L}+)-\s*$/u.exec(text)?.[1] ?? []));
}

/** "compi- lation" where a line ended after the hyphen, but not "short- and long-term". */
export function joinBrokenWords(text: string, broken: Set<string>): string {
  if (broken.size === 0) return text;
  return text.replace(/(\p{L}+)-\s+(?=\p{Ll})(?!(and|or|und|oder|bzw|et|y|o|e)\b)/gu, (all, word: string) =>
    broken.has(word) ? word : all,
  );
}

/** What of a text makes it the same as another one: letters and digits. */
export function letters(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '');
}
