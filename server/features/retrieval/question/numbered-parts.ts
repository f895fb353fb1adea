import { answerType } from './answer-type.ts';

/**
 * What parts of documents are called and numbered by, each with its names in English, German, French, Spanish, Italian.
 * A form is a document, and names itself on all of its pages.
 */
const kinds: Record<string, string> = {
  figure: 'figures?|figs?\\.?|abbildung(?:en)?|abb\\.?|figuras?|figur[ae]',
  table: 'tables?|tab\\.?|tabellen?|tableaux?|tablas?|tabell[ae]',
  chart: 'charts?|diagrams?|diagramme?|graphs?|gráficos?|grafic[oi]',
  exhibit: 'exhibits?|schedules?',
  annex: 'annex(?:es)?|appendix|appendices|anhang|anlagen?|annexes?|anexos?|allegat[oi]',
  section: 'sections?|sec\\.?|abschnitte?|sección|sezione|§',
  chapter: 'chapters?|kapitel|chapitres?|capítulos?|capitol[oi]',
  article: 'articles?|art\\.?|artikel|artículos?|articol[oi]',
  clause: 'clauses?|klauseln?|cláusulas?',
  paragraph: 'paragraphs?|paragraphen?|paragraphes?|párrafos?|paragraf[oi]',
  step: 'steps?|schritte?|étapes?|pasos?|passaggi?',
  box: 'box(?:es)?|blocks?|felder|feld|cases?|casillas?|casell[ae]',
  item: 'items?|lines?|zeilen?|lignes?|líneas?|righ[ei]|positionen|position',
  note: 'notes?|footnotes?|fußnoten?|notas?',
};
const names = Object.keys(kinds);
const numbered = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${names.map((name) => `(${kinds[name]})`).join('|')})\\s*(?:no\\.?\\s*|nr\\.?\\s*|n[°º]\\s*)?((?:[A-Z]{1,2}[-.]?)?\\d{1,4}(?:[.-]\\d{1,3})*[a-z]?|[A-Z])(?![\\p{L}\\p{N}/]|-\\p{L})`,
  'giu',
);
/** Longer ones are no line of text. */
const maxLength = 2000;

/**
 * The numbered parts that a text names, as `figure 2` or `table c-1`, whatever language and short form it says so in.
 */
export function numberedParts(text: string): Set<string> {
  return new Set([...partsIn(text)].map(({ part }) => part));
}

/**
 * The one that a question wants shown, in its words. A row of a table mostly stands far behind the caption: who asks
 * for an amount in it wants another line.
 */
export function askedPart(question: string): string | undefined {
  return answerType(question) === null ? firstPart(question) : undefined;
}

function firstPart(text: string): string | undefined {
  return partsIn(text).next().value?.said;
}

/** The one that a line begins with, as a caption does; empty: none. */
export function openingPart(line: string): string {
  const said = firstPart(line) ?? '';
  return line.indexOf(said) === line.search(/[\p{L}\p{N}§]/u) ? said : '';
}

function* partsIn(text: string): Generator<{ part: string; said: string }, undefined> {
  for (const [said, ...groups] of text.slice(0, maxLength).matchAll(numbered)) {
    const kind = names.find((_, i) => groups[i] !== undefined);
    const number = groups[names.length];
    // "Figure a" and "note i" begin something else.
    if (kind === undefined || number === undefined || /^\p{Ll}$/u.test(number)) continue;
    yield { part: `${kind} ${number.toLowerCase()}`, said };
  }
}

/** How what is said fits the numbered parts that a question names: each 1 or 0. */
export interface NumberedFit {
  /** It names one of them. */
  numbered: number;
  /** It names another part of the same kind, and none of them. */
  otherNumber: number;
}

/** @param asked those of the question */
export function numberedFit(asked: ReadonlySet<string>, text: string): NumberedFit {
  if (asked.size === 0) return { numbered: 0, otherNumber: 0 };
  const own = numberedParts(text);
  if (!own.isDisjointFrom(asked)) return { numbered: 1, otherNumber: 0 };
  const kindOf = (part: string) => part.slice(0, part.indexOf(' '));
  const askedKinds = new Set([...asked].map(kindOf));
  return { numbered: 0, otherNumber: [...own].some((part) => askedKinds.has(kindOf(part))) ? 1 : 0 };
}
