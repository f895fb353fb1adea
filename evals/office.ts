import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { wholeCompany } from '#server/db/audience.ts';
import type { PlacedBlock } from '#server/features/ingestion/document.ts';
import { placeBlocks } from '#server/features/ingestion/place.ts';
import { type Answer, ask, shownOf } from './asked.ts';
import { type Harness, openHarness } from './harness.ts';
import { mean, percentile } from './measures.ts';
import { type ParsedFile, parseFiles } from './parsed.ts';
import { plain } from './plain.ts';
import { dataFolder } from './sets.ts';

/** A question about a spreadsheet, a deck of slides, a Word file or a mail; `wide` is a sheet with many columns. */
export interface OfficeQuestion {
  id: string;
  kind: 'sheet' | 'wide' | 'slide' | 'word' | 'mail';
  question: string;
  /** As the program shows them. */
  answers: string[];
  /** Those that hold the answer; several where they say the same. */
  files: string[];
  place?: GoldPlace;
  /** What the answer says beside the value: the name of its column. */
  shown?: string;
  /** Of an unanswerable one: what its documents lack. */
  absent?: 'entity' | 'year' | 'column';
  lang: string;
  answerable: boolean;
}

/**
 * Where in a file the answer stands: the row with these cells, a slide, what is below a heading, a block with these
 * words.
 */
type GoldPlace = { row: string[] } | { slide: number } | { heading: string } | { text: string };

interface AskedOffice {
  question: OfficeQuestion;
  /** Rank of the first passage that holds the gold place; 0 where it is not among ten. */
  rank: number;
  answer: Answer;
  isFirst: boolean;
  isQuoted: boolean;
  isShown: boolean;
  ms: number;
}

const folder = join(dataFolder, 'files');
const questionsFile = join(import.meta.dirname, 'office-questions.jsonl');
/** What is no table, slide, text or mail is measured elsewhere. */
const formats = new Set('.docx .pptx .xlsx .xlsm .csv .tsv .odt .ods .odp .rtf .eml .html .md .epub .txt'.split(' '));

export function readOfficeQuestions(): OfficeQuestion[] {
  return readFileSync(questionsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The paths of the files that are one company's. */
export function officeFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => formats.has(extname(name).toLowerCase()))
    .map((name) => join(folder, name));
}

/**
 * Office files and mails through the whole pipeline: all of them are one company's, and each question is asked of all.
 */
export async function evaluateOffice({ verbose }: { verbose: boolean }): Promise<string[]> {
  if (!existsSync(folder)) return ['No data are present: nothing to measure.'];
  const parsed = await parseFiles(officeFiles());
  const harness = await openHarness();
  try {
    const asked = await askAll(harness, parsed);
    const kinds = [...Map.groupBy(asked, ({ question }) => question.kind)];
    const failed = parsed.filter(({ failure }) => failure !== null).map(({ name }) => name);
    return [
      `${parsed.length} files. Shares in %. Of search: the row, slide or section with the answer among the first. First quote: of the`,
      'answered ones. Column named: the answer says what the figure is, where the question asks for a cell.',
      '',
      '| kind | answerable | found @1 | found @5 | first quote | string quoted | column named | answerable refused | unanswerable | refused | p50 ms |',
      '|---|---|---|---|---|---|---|---|---|---|---|',
      ...kinds.map(([kind, some]) => lineOf(kind, some)),
      lineOf('**all**', asked),
      '',
      `Files that could not be read: ${failed.join('; ') || 'none'}.`,
      ...(verbose ? ['', ...asked.map(questionLine)] : []),
    ];
  } finally {
    await harness.close();
  }
}

async function askAll(harness: Harness, parsed: ParsedFile[]): Promise<AskedOffice[]> {
  const sources = parsed.flatMap(({ source }) => source ?? []);
  const { actor, documents } = await harness.load(sources);
  const placed = new Map(
    sources.map(({ blocks }, i) => [documents[i]?.documentId ?? '', placeBlocks(blocks)] as const),
  );
  const { signal } = new AbortController();
  const asked: AskedOffice[] = [];
  for (const question of readOfficeQuestions()) {
    const inFiles = documents.filter((_, i) => question.files.includes(sources[i]?.name ?? ''));
    const gold = new Map(
      inFiles.map(({ documentId }) => [documentId, goldBlocks(placed.get(documentId) ?? [], question.place)]),
    );
    if (question.answerable && [...gold.values()].every(({ size }) => size === 0))
      throw new Error(`The place of ${question.id} is in no file.`);
    const request = { text: question.question, limit: 10 };
    const { passages } = await harness.retrieval.find(wholeCompany(actor.companyId), request, signal);
    const rank = passages.findIndex(({ documentId, firstBlock, lastBlock }) =>
      [...(gold.get(documentId) ?? [])].some((index) => index >= firstBlock && index <= lastBlock),
    );
    const { answer, ms } = await ask(harness, actor, question.question);
    const shown = shownOf(answer);
    const [first] = shown;
    asked.push({
      question,
      rank: rank + 1,
      answer,
      isFirst: first !== undefined && isIn(first, placed.get(first.documentId), gold.get(first.documentId)),
      isQuoted: shown.some(({ quote }) => question.answers.some((gold) => plain(quote).includes(plain(gold)))),
      isShown: question.shown !== undefined && plain(answer.answer).includes(plain(question.shown)),
      ms,
    });
  }
  return asked;
}

/** The indexes of the blocks that hold the answer. */
function goldBlocks(blocks: PlacedBlock[], place: GoldPlace | undefined): Set<number> {
  if (!place) return new Set();
  const of = (is: (block: PlacedBlock) => boolean) => new Set(blocks.filter(is).map(({ index }) => index));
  if ('slide' in place) return of(({ page }) => page === place.slide);
  if ('text' in place) return of(({ text }) => text.includes(place.text));
  // A cell may begin with what names it: a date has a time behind it.
  if ('row' in place)
    return of(({ cells = [] }) => place.row.every((sought) => cells.some((cell) => cell.startsWith(sought))));
  const heading = blocks.find(({ kind, text }) => kind === 'heading' && text === place.heading);
  if (!heading) return new Set();
  const next = blocks.find(({ index, kind }) => index > heading.index && kind === 'heading');
  return of(({ index }) => index > heading.index && index < (next?.index ?? Number.POSITIVE_INFINITY));
}

function isIn(
  { start, end }: { start: number; end: number },
  blocks: PlacedBlock[] | undefined,
  gold: ReadonlySet<number> | undefined,
): boolean {
  return blocks?.some((block) => gold?.has(block.index) && block.start < end && start < block.end) ?? false;
}

function lineOf(kind: string, asked: AskedOffice[]): string {
  const answerable = asked.filter(({ question }) => question.answerable);
  const answered = answerable.filter(({ answer }) => answer.answered);
  const unanswerable = asked.filter(({ question }) => !question.answerable);
  const cells = [
    kind,
    answerable.length,
    percent(answerable.map(({ rank }) => rank === 1)),
    percent(answerable.map(({ rank }) => rank > 0 && rank <= 5)),
    percent(answered.map(({ isFirst }) => isFirst)),
    percent(answerable.map(({ isQuoted }) => isQuoted)),
    percent(answerable.filter(({ question }) => question.shown).map(({ isShown }) => isShown)),
    percent(answerable.map(({ answer }) => !answer.answered)),
    unanswerable.length,
    percent(unanswerable.map(({ answer }) => !answer.answered)),
    percentile(
      asked.map(({ ms }) => ms),
      0.5,
    ).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

function questionLine({ question, rank, answer, isFirst, isQuoted, isShown }: AskedOffice): string {
  const right = question.answerable ? `rank ${rank || '-'}` : 'unanswerable';
  const marks = [isFirst && 'first', isQuoted && 'string', isShown && 'column'].filter(Boolean).join(', ');
  const said = answer.answered ? answer.answer.replaceAll('\n', ' ').replaceAll('|', '¦') : 'refused';
  return `- ${question.id}, ${question.question} ${right}; ${marks || 'nothing'}: ${said}`;
}

function percent(each: boolean[]): string {
  return each.length === 0 ? '–' : (100 * mean(each.map(Number))).toFixed(1);
}
