import type { Block, TableHead } from '../document.ts';
import { splitText } from '../split.ts';

/** Longest text of a block, in UTF-16 code units. */
export const maxBlockLength = 20_000;

/** Control characters, noncharacters, soft hyphens, byte order marks; PostgreSQL refuses U+0000. */
const unwanted = /[[\p{Cc}\u00ad\u200b\u2060\ufeff\ufffe\uffff]--[\t\n]]/gv;
const whiteSpace = /[\s\u0085]+/gu;

/** One line of well-formed text: NFC, single spaces, nothing invisible that could hide a word from a search. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(whiteSpace, ' ').replace(unwanted, '').normalize('NFC').trim();
}

/** Text whose lines and indentation matter. */
export function cleanCode(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, '\n')
    .replace(unwanted, '')
    .normalize('NFC')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** A block as it is kept: cleaned, in pieces when it is too long; none when nothing is left of it. */
export function cleanBlock(block: Block): Block[] {
  const { cells: rawCells, header, part: rawPart, text: rawText, table, parents, context: rawContext, ...rest } = block;
  const cells = rawCells?.map(cleanText);
  const part = rawPart === undefined ? undefined : cleanText(rawPart);
  const text = block.kind === 'code' ? cleanCode(rawText) : cells ? cells.join(' | ') : cleanText(rawText);
  const visible = cells ? cells.some((cell) => cell !== '') : text.trim() !== '';
  if (!visible) return [];
  const context = rawContext === undefined ? undefined : cleanText(rawContext);
  const opens = { ...(part && { part }), ...(context && { context }) };
  const ofTable = {
    ...(parents && { parents: parents.map(cleanText) }),
    ...(table && { table: cleanHead(table) }),
  };
  if (text.length <= maxBlockLength)
    return [{ ...rest, ...opens, ...(header && { header }), ...(cells && { cells }), ...ofTable, text }];
  return splitText(text, maxBlockLength).map(({ start, end }, index) => ({
    ...rest,
    // A row that had to be cut has no cells any more.
    kind: rest.kind === 'row' ? 'paragraph' : rest.kind,
    ...(index === 0 && opens),
    text: rest.kind === 'code' ? text.slice(start, end).replace(/\n$/, '') : text.slice(start, end).trim(),
  }));
}

function cleanHead({ columns, caption, unit, sheet, isMailHead }: TableHead): TableHead {
  return {
    columns: columns.map(cleanText),
    ...(caption !== undefined && { caption: cleanText(caption) }),
    ...(unit !== undefined && { unit: cleanText(unit) }),
    ...(sheet !== undefined && { sheet: cleanText(sheet) }),
    ...(isMailHead && { isMailHead }),
  };
}
