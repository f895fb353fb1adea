import { analyze } from '#server/lib/analyze.ts';
import { isFunctionWord } from './facts/language.ts';
import { fold, wordSet } from './facts/tokens.ts';
import type { PreparedPassage } from './passage.ts';

const leadsToSource =
  "(?:according to|as (?:stated|described|explained|reported) in|laut|gemäß|zufolge|nach angaben|selon|d[’']après|según|de acuerdo con)";
/** UTF-16 code units of what a claim names as its source. */
const source = '(?<source>[^,:;]{1,100})';
const sourceBefore = new RegExp(String.raw`^\s*${leadsToSource}\s${source},\s+(?=\S)`, 'iu');
const sourceBehind = new RegExp(String.raw`,\s${leadsToSource}\s${source}$`, 'iu');
const wordOrCode = /[\p{L}\p{N}]+(?:[-.][\p{L}\p{N}]+)*/gu;
/** A plain number may be that of a page, a table or another edition. */
const isCode = /\p{N}[\p{L}\p{N}]*[-.]/u;
/** Words for a document, which its name need not have. */
const documents = wordSet(
  'report document documents text guide guideline guidelines manual appendix annex article page paper presentation publication statement study table summary source file bericht dokument text handbuch leitfaden anhang artikel seite studie tabelle quelle datei rapport texte guide manuel annexe article page etude tableau source fichier informe documento texto guia manual anexo articulo pagina estudio tabla fuente archivo',
);

/**
 * A claim as the passage would write it: without the document that it names as its source, and with names in one word
 * that the passage has in one.
 */
export function asWritten(claim: string, known: PreparedPassage, above: string): string {
  return withNamesJoined(withoutSource(claim, above), known);
}

/** "According to the annual report, " says nothing of what the report says; another document's name does. */
function withoutSource(claim: string, above: string): string {
  const named = new Set(above.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu)?.map(fold));
  for (const [pattern, end] of [
    [sourceBefore, ''],
    [sourceBehind, '.'],
  ] as const) {
    const found = pattern.exec(end === '' ? claim : claim.replace(/(?<![.\s])[.\s]+$/u, ''));
    const words = found?.groups?.source?.match(wordOrCode) ?? [];
    const isDocument = (word: string) =>
      isFunctionWord(fold(word)) ||
      documents.has(fold(word)) ||
      (/^\p{L}+$/u.test(word) ? named.has(fold(word)) : isCode.test(word) && hasCode(above, word));
    if (found && words.length > 0 && words.every(isDocument))
      return end === '' ? claim.slice(found[0].length) : `${claim.slice(0, found.index)}${end}`;
  }
  return claim;
}

/** As a whole, and perhaps with a letter for its revision behind it. */
function hasCode(text: string, code: string): boolean {
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1)) {
    if (!/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^\p{N}/u.test(text.slice(at + code.length))) return true;
  }
  return false;
}

/** A name that is written in one word there: "Apple Talk" for AppleTalk. */
function withNamesJoined(claim: string, { terms }: PreparedPassage): string {
  return claim.replaceAll(/(\p{Lu}\p{L}{2,}) (\p{Lu}\p{L}{2,})/gu, (both, one: string, other: string) =>
    analyze(other).every((term) => !terms.has(term)) && analyze(one + other).some((term) => terms.has(term))
      ? one + other
      : both,
  );
}
