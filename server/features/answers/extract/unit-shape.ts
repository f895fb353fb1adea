import type { Unit } from './unit.ts';

const caption =
  /^\W*(?:table|figure|fig\.?|chart|exhibit|tabelle|abbildung|abb\.?|tableau|tabla|tabella|figura|図|表)\s*[A-Z]?[-.]?\d+(?:[-.]\d+)*\s*(?:[.:–—-]|$|\p{Lu})/iu;
/** Dots that lead to a page's number. */
const leaders = /\.{5,}|(?:\. ){5,}|…{2,}/u;
const asksForCaption =
  /(?<!\p{L})(?:tables?|figures?|fig\.|charts?|exhibits?|tabellen?|abbildung(?:en)?|abb\.|tableaux?|tablas?|tabell[ae]|figur[ae]s?)(?!\p{L})/iu;

/**
 * Whether a line is the title of a table or figure, or one of a table of contents: it names what comes, and says
 * nothing of it.
 * @param asked whether it is a question: then, whether it asks for such a title
 */
export function isCaption(text: string, asked = false): boolean {
  return asked ? asksForCaption.test(text) : caption.test(text) || leaders.test(text);
}

const ofWhole =
  /(?<!\p{L})(?:consolidated|combined|summar(?:y|ies)|overall|totals?|group|konzern\p{L}*|gesamt\p{L}*|konsolidiert\p{L}*|übersicht|consolidée?s?|synthèse|récapitulati\p{L}+|consolidad[oa]s?|resumen|consolidat[oa]|riepilogo)(?!\p{L})/iu;

/** Whether a table's title says that it is of the whole: of the group, or the summary of all parts. */
export function isOfWhole(title: string): boolean {
  return ofWhole.test(title);
}

/**
 * The first cell that is filled: many a table does not begin in the first column. Of a row of figures alone, the label
 * right above it.
 */
export function labelOf({ cells, parents }: NonNullable<Unit['row']>): string {
  const first = cells.find((cell) => cell.trim() !== '') ?? '';
  const isUnlabelled = cells[0]?.trim() === '' && !/\p{L}/u.test(first);
  return (isUnlabelled && parents?.at(-1)) || first;
}

/** Whether it has its label: of a long row that is quoted in pieces, the first one. */
export function hasLabel({ row, text }: Unit): boolean {
  return row === undefined || text.startsWith(labelOf(row));
}

/** What stands over a unit and is said of it: its heading, and of a row its columns, parents and caption. */
export function around(unit: Unit): string {
  const { heading, row } = unit;
  if (!row) return heading;
  // A long row is quoted in pieces: its label stands over all but the first.
  return [
    hasLabel(unit) ? '' : labelOf(row),
    heading,
    ...(row.header ?? []),
    ...(row.parents ?? []),
    row.caption ?? '',
    row.unit ?? '',
  ].join(' ');
}

/** What stands in brackets, also in two pairs of them: `(1)`, `(Note (a))`, `(in thousands)`, `(expense)`. */
const bracketed = /\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\]/gu;
/** The number of a note behind a word of some letters, as a text without raised figures has it: `share5`. */
const raised = /(?<=\p{Ll}{4})\d{1,2}(?![\p{L}\d])/gu;

/** A label without numbers of notes, units and other words in brackets; as it is where nothing else stands in it. */
export function bareLabel(label: string): string {
  const bare = label.replace(bracketed, ' ').replace(raised, '');
  return /\p{L}/u.test(bare) ? bare : label;
}

/** Whether a text has no words, as the arrow before a reference in an encyclopedia: quoted it would say nothing. */
export function isMark(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** How letters begin and end, in English, German, French, Spanish and Italian. */
const greeting = new RegExp(
  `^(?:${[
    '(?:dear|hello|hi|hey|good (?:morning|afternoon|evening|day)|to whom it may concern)(?!\\p{L})[^.?:\\d]{0,60}[,!]',
    '(?:sehr geehrte[rs]?|liebe[rs]?|hallo|guten (?:tag|morgen|abend))(?!\\p{L})[^.?:\\d]{0,60}[,!]',
    '(?:chère?s?|bonjour|madame|monsieur|estimad[oa]s?|querid[oa]s?|hola|buen[oa]s (?:días|tardes)|gentil[ei]|egregio|buongiorno)(?!\\p{L})[^.?:\\d]{0,60}[,!:]',
    '(?:(?:with )?(?:best|kind|warm)(?:est)? (?:regards|wishes)|yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|(?:many )?thanks|thank you)[,.!]?',
    '(?:(?:mit )?(?:freundlichen?|besten?|vielen?|herzlichen?) grü(?:ß|ss)en?|hochachtungsvoll|vielen dank|danke)[,.!]?',
    '(?:bien )?cordialement[,.!]?|merci[,.!]?|(?:un cordial )?saludos?(?: cordiales)?[,.!]?|gracias[,.!]?|(?:cordiali|distinti) saluti[,.!]?|grazie[,.!]?',
  ].join('|')})$`,
  'iu',
);

/** Whether a line only greets or thanks whom it is written to. */
export function isGreeting({ text, row }: Pick<Unit, 'text' | 'row'>): boolean {
  return row === undefined && greeting.test(text.trim());
}

/** A row without a figure behind its label. */
export function isEmpty(row: Unit['row']): boolean {
  return row !== undefined && !row.cells.slice(1).some((cell) => /\d/.test(cell));
}

/** A word in a figure: `$ 5 million`, `USD 400`, `48 per cent`. */
const ofFigure = /million|billion|thousand|per ?cent|\p{L}{1,3}(?!\p{L})/giu;

/** A row that has nothing but figures behind its label. */
export function isOfFigures(row: Unit['row']): boolean {
  const cells = row?.cells.slice(1).filter((cell) => /[\p{L}\d]/u.test(cell)) ?? [];
  return cells.length > 0 && cells.every((cell) => /\d/.test(cell) && !/\p{L}/u.test(cell.replace(ofFigure, '')));
}
