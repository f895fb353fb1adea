import { hasUnspaced, languageOf } from '#server/lib/analyze.ts';
import { createPause } from '#server/lib/pause.ts';
import { stopWords } from '#server/lib/stop-words.ts';
import type { QuotableBlock } from '../extract/unit.ts';
import { unitsOf } from '../extract/units.ts';
import { isEdition, phrases, type QuestionLanguage } from './question-phrases.ts';

/** A question that a document may answer. */
export interface FirstQuestion {
  text: string;
  /** Where in the document's text its answer must stand (end exclusive); absent: anywhere. */
  answer?: { start: number; end: number };
}

/** Those of one document by how good they are, each list in the order of the text. */
export interface FirstQuestions {
  /** They stand in the document themselves. */
  asked: FirstQuestion[];
  /** For what it defines, and for the rows of its tables. */
  made: FirstQuestion[];
}

/** UTF-16 code units that tell a document's language. */
const maxSample = 50_000;
/** Blocks between two looks at the time. */
const blocksAtOnce = 10;
const minLength = 8;
const minUnspacedLength = 4;
const maxLength = 110;
/** "12. ", "§ 3 ", "b) ", "Frage 2: " before a question. */
const numbering =
  /^(?:[-•*]\s+|\(?\d{1,3}(?:\.\d{1,3})*[.):]?\s+|\(?[A-Za-z][.):]\s+|(?:question|frage|pregunta|domanda|Q|F|質問|问)\s*\d*\s*[.:)：]\s*)/iu;
/** What stands before it says what is meant. */
const pointing = /(?<!\p{L})(?:this|these|those|dieser?|dieses|diesen|cette|ces|est[ea]|quest[oa])(?!\p{L})/iu;
/** Of a column by which nobody asks. */
const emptyName =
  /^(?:.{0,2}|no\.?|nr\.?|id|pos\.?|usd|eur|gbp|chf|jpy|remarks?|comments?|notes?|bemerkung(?:en)?|anmerkung(?:en)?)$/iu;
/** More words are half a sentence. */
const maxNameWords = 4;
/** "Limit (gross)", "Price EUR": nobody says the unit of a column. */
const unit = /\s*[([].*?[)\]]|\s+(?:[A-Z]{3}|[€$£¥%])$/g;
const maxTermWords = 4;
/** They may stand within a term: "bill of lading". */
const joining = new Set(['of', 'and', 'de', 'du', 'des', 'del', 'di', 'et', 'y', 'e', 'und']);
/** Rows that tell what the columns of a table are. */
const rowsLookedAt = 20;

/** The language that a document's own sentences are in; null where it has none, or too few. */
export function languageOfBlocks(blocks: readonly QuotableBlock[]): QuestionLanguage | null {
  const prose = blocks.filter(({ kind }) => kind === 'paragraph' || kind === 'item');
  return languageOf(
    prose
      .map(({ text }) => text)
      .join('\n')
      .slice(0, maxSample),
  );
}

/**
 * Questions to begin with that the text of a document suggests, in the document's language. None of them is known to be
 * answered.
 * @param blocks its beginning
 */
export async function firstQuestions(
  blocks: readonly QuotableBlock[],
  language: QuestionLanguage,
): Promise<FirstQuestions> {
  const pause = createPause();
  const defined: FirstQuestion[] = [];
  const cells: FirstQuestion[] = [];
  const asked: FirstQuestion[] = [];
  for (let i = 0; i < blocks.length; i += blocksAtOnce) {
    asked.push(...askedIn(blocks, i, i + blocksAtOnce, language));
    defined.push(...definedIn(blocks.slice(i, i + blocksAtOnce), language));
    await pause();
    cells.push(...(await cellsOf(blocks, i, i + blocksAtOnce, language, pause)));
    await pause();
  }
  return {
    asked: short(asked),
    made: short(inTurn([defined, cells])),
  };
}

/** The first of each, then the second of each, and so on. */
export function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const most = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

function short(questions: FirstQuestion[]): FirstQuestion[] {
  return questions.filter(
    ({ text }) => text.length >= (hasUnspaced(text) ? minUnspacedLength : minLength) && text.length <= maxLength,
  );
}

/** Questions with something behind them that is none: an answer. */
function askedIn(
  blocks: readonly QuotableBlock[],
  from: number,
  to: number,
  language: QuestionLanguage,
): FirstQuestion[] {
  const asked: FirstQuestion[] = [];
  for (const [at, block] of blocks.slice(from, to).entries()) {
    const [answer, ...cells] = block.kind === 'row' ? (block.cells ?? []).toReversed() : [];
    const text = (block.kind === 'row' ? cells.findLast(isQuestion) : block.text)?.trim().replace(numbering, '');
    if (text === undefined || !isQuestion(text) || !isAsked(text, language)) continue;
    if (block.kind === 'row') {
      if (answer?.trim()) asked.push({ text, answer: placeOf(block) });
      continue;
    }
    const next = blocks[from + at + 1];
    if (next && next.kind !== 'heading' && !isQuestion(next.text)) asked.push({ text });
  }
  return asked;
}

/** One sentence that asks, and says what about. */
function isQuestion(text: string): boolean {
  const trimmed = text.trim();
  return (
    /^[\p{Lu}\p{Lo}¿"“„«「]/u.test(trimmed.replace(numbering, '')) &&
    /[^.!?。！？]{8}\s?[?？]$/u.test(trimmed) &&
    !/[.!?。！？]\s*\p{L}.*[?？]$/u.test(trimmed.replace(numbering, ''))
  );
}

/** As somebody would ask: not "Need Additional Help?", and not in capitals. */
function isAsked(text: string, language: QuestionLanguage): boolean {
  if (!phrases[language].begins.test(text) || pointing.test(text)) return false;
  return /\p{Ll}{2}|\p{Lo}/u.test(text);
}

function definedIn(blocks: readonly QuotableBlock[], language: QuestionLanguage): FirstQuestion[] {
  const { meaning, kind } = phrases[language];
  const sentences = unitsOf(blocks.filter((block) => block.kind === 'paragraph' || block.kind === 'item'));
  return sentences.flatMap(({ text: sentence, start, end }) => {
    const text = sentence.replace(numbering, '');
    for (const pattern of meaning.patterns) {
      const { term } = pattern.exec(text)?.groups ?? {};
      if (term !== undefined && isTerm(term, language)) return [{ text: meaning.ask(term), answer: { start, end } }];
    }
    const { term, article = '' } = kind?.pattern.exec(text)?.groups ?? {};
    if (!kind || term === undefined || !isTerm(term, language)) return [];
    return [{ text: kind.ask(term, article), answer: { start, end } }];
  });
}

/** A few words that say something: not "there", "if the hotel", "the train is the normal". */
function isTerm(term: string, language: QuestionLanguage): boolean {
  if (language === 'ja' || language === 'zh') return !/^[こそあど这那它本]/u.test(term);
  const words = term.toLowerCase().split(/\s+/);
  if (!/[\p{L}\p{N})]$/u.test(term)) return false;
  return words.length <= maxTermWords && words.every((word) => joining.has(word) || !isStopWord(word, language));
}

function isStopWord(word: string, language: QuestionLanguage): boolean {
  return language !== 'ja' && language !== 'zh' && stopWords[language].split(/\s+/).includes(word.toLowerCase());
}

/** One for each table with names for its columns, and for its rows. */
async function cellsOf(
  blocks: readonly QuotableBlock[],
  from: number,
  to: number,
  language: QuestionLanguage,
  pause: ReturnType<typeof createPause>,
): Promise<FirstQuestion[]> {
  const questions: FirstQuestion[] = [];
  for (const [at, block] of blocks.slice(from, to).entries()) {
    if (!block.header || !block.cells) continue;
    const i = from + at;
    const rows: QuotableBlock[] = [];
    for (const row of blocks.slice(i + 1, i + 1 + rowsLookedAt)) {
      if (row.kind !== 'row' || row.header) break;
      rows.push(row);
    }
    const question = cellQuestion(block.cells, rows, language);
    if (question) questions.push(question);
    await pause();
  }
  return questions;
}

function cellQuestion(
  header: readonly string[],
  rows: readonly QuotableBlock[],
  language: QuestionLanguage,
): FirstQuestion | null {
  const column = (index: number) => rows.map(({ cells }) => cells?.[index]?.trim() ?? '');
  const isName = (cell: string) =>
    /^\p{L}.*(?:\p{L}{2}|\p{Lo})/u.test(cell) &&
    cell.length <= 45 &&
    !/:$|\d{3}|[$€£%]/.test(cell) &&
    !isQuestion(cell);
  const label = header.findIndex((_, index) => {
    const cells = column(index);
    const lettered = cells.filter((cell) => /^\p{L}/u.test(cell));
    return lettered.length > cells.length * 0.6 && cells.filter(isName).length > 1 && allDiffer(cells);
  });
  if (label < 0) return null;
  const named = header.map((each) => each.replace(unit, '').trim());
  const hasValues = (index: number) => {
    const cells = column(index);
    return cells.filter((cell) => /\d/.test(cell) && cell.length <= 60).length > cells.length / 2;
  };
  const value = named.findIndex((each, index) => index > label && isColumnName(each, language) && hasValues(index));
  const nameOf = ({ cells }: QuotableBlock) => cells?.[label]?.trim() ?? '';
  const candidates = rows.filter((row) => /\d/.test(row.cells?.[value] ?? '') && isName(nameOf(row)));
  // A list of things is a clumsy name.
  const row = candidates.find((each) => !nameOf(each).includes(',')) ?? candidates[0];
  const name = row && nameOf(row);
  if (value < 0 || !row || name === undefined) return null;
  return { text: phrases[language].cell(name, named[value] ?? ''), answer: placeOf(row) };
}

function isColumnName(name: string, language: QuestionLanguage): boolean {
  if (/[:,;&–-]$/.test(name) || name.split(/\s+/).length > maxNameWords) return false;
  return !emptyName.test(name) && (!/\d|, /.test(name) || isEdition.test(name)) && !isStopWord(name, language);
}

function allDiffer(cells: readonly string[]): boolean {
  return new Set(cells).size === cells.length;
}

function placeOf({ start, text }: QuotableBlock): { start: number; end: number } {
  return { start, end: start + text.length };
}
