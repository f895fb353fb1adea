import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFound } from '#server/features/answers/reading.ts';
import { ask, shownOf } from './asked.ts';
import { type Harness, openHarness } from './harness.ts';
import { mean, percentile } from './measures.ts';
import { type Page, pageId, pagePeers } from './pages.ts';
import { parseFiles } from './parsed.ts';
import {
  type AskedPdf,
  causeOf,
  causes,
  isFirst,
  isInAnyQuote,
  isInSources,
  isQuoted,
  isRead,
  isRefused,
  isShown,
  type PdfQuestion,
} from './pdf-asked.ts';
import { dataFolder } from './sets.ts';

/** Files that are one company's, and what is asked about them. */
interface Collection {
  name: string;
  files: string[];
  questions: PdfQuestion[];
  pages: Page[];
}

interface Ranked {
  engine: string;
  rankings: { gold: string[]; found: string[] }[];
}

const folder = join(dataFolder, 'realpdf');
const passagesRead = 8;

/**
 * Long PDFs through the whole pipeline: the sandbox reads them, the product cuts, searches and answers; page by page,
 * with BM25 over the same pages beside it. All files of a folder are one company's, and then those of all folders.
 */
export async function evaluatePdf({ sets, verbose }: { sets: string[]; verbose: boolean }): Promise<string[]> {
  if (!existsSync(folder)) return ['No data are present: nothing to measure.'];
  const single = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readCollection(name));
  const all = [...single, together(single)].filter(({ name }) => sets.length === 0 || sets.includes(name));
  const harness = await openHarness();
  const search: string[] = [];
  const answers: string[] = [];
  const ahead: string[] = [];
  const parts: string[] = [];
  const lost: string[] = [];
  const failed = new Set<string>();
  const questions: string[] = [];
  try {
    for (const collection of all) {
      const asked = await askAbout(harness, collection, failed);
      const answerable = asked.filter(({ question }) => question.answerable);
      const ours: Ranked = { engine: 'Footnote', rankings: answerable };
      const peers = await rankWithPeers(collection, answerable);
      const best = (k: number) => Math.max(...peers.map((peer) => recall(peer, k)));
      search.push(...[ours, ...peers].map((ranked) => searchLine(collection, ranked)));
      ahead.push(`${collection.name} ${[1, 5].map((k) => points(recall(ours, k) - best(k))).join(' and ')}`);
      answers.push(answerLine(collection.name, asked));
      parts.push(...byPart(collection.name, asked));
      lost.push(causeLine(collection.name, answerable));
      questions.push(...asked.map((each) => questionLine(collection.name, each)));
    }
  } finally {
    await harness.close();
  }
  return [
    '| files | pages | questions | | gold page @1 | @5 | @10 |',
    '|---|---|---|---|---|---|---|',
    ...search,
    '',
    `Points above the better BM25 @1 and @5 (goal: +12): ${ahead.join('; ')}.`,
    '',
    'Shares in %. Sources (shown: without those that are folded as found beside the answer), first quote and noise (shown quotes from other pages than',
    'the gold ones) are of the answerable questions that were answered.',
    '',
    '| files | gold page read | in sources (≥ 80) | shown | first quote (≥ 65) | answerable refused (≤ 10) | unanswerable refused (≥ 60) | gold string shown (≥ 65) | in any quote | noise (≤ 25) | quotes | p50 ms |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...answers,
    '',
    '| files | part | answerable | gold page @1 | @5 | read | in sources | refused | gold string quoted |',
    '|---|---|---|---|---|---|---|---|---|',
    ...parts,
    '',
    'Where the answers are lost, from the first step on: questions that have one.',
    '',
    `| files | ${causes.join(' | ')} |`,
    `|---|${causes.map(() => '---|').join('')}`,
    ...lost,
    '',
    `Files that could not be read: ${[...failed].join('; ') || 'none'}.`,
    ...(verbose ? ['', ...tableOfQuestions, ...questions] : []),
  ];
}

function readCollection(name: string): Collection {
  const lines = <T>(file: string): T[] =>
    readFileSync(join(folder, name, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    name,
    files: readdirSync(join(folder, name, 'pdf')).map((file) => join(folder, name, 'pdf', file)),
    questions: lines('questions.jsonl'),
    pages: lines('pages.jsonl'),
  };
}

function together(collections: Collection[]): Collection {
  return {
    name: 'all',
    files: collections.flatMap(({ files }) => files),
    questions: collections.flatMap(({ questions }) => questions),
    pages: collections.flatMap(({ pages }) => pages),
  };
}

async function askAbout(harness: Harness, { files, questions }: Collection, failed: Set<string>): Promise<AskedPdf[]> {
  const parsed = await parseFiles(files);
  for (const { failure, name } of parsed) if (failure !== null) failed.add(`${name} (${failure})`);
  const { actor } = await harness.load(parsed.flatMap(({ source }) => source ?? []));
  const asked: AskedPdf[] = [];
  for (const question of questions) {
    const { found } = await searched(harness, actor.companyId, question.question);
    const read = await readFor(harness, actor.companyId, question.question);
    const { answer, ms } = await ask(harness, actor, question.question);
    const shown = shownOf(answer).map(({ name, page, quote }) => ({ page: pageId(name, page ?? 0), quote }));
    const sources = answer.sources.map(({ name, page }) => pageId(name, page ?? 0));
    asked.push({ question, gold: goldOf(question), found, read, answer, sources, shown, ms });
  }
  return asked;
}

async function searched({ retrieval }: Harness, companyId: string, text: string) {
  const { passages } = await retrieval.find(companyId, { text, limit: 10 }, new AbortController().signal);
  return { found: passages.map(({ name, page }) => pageId(name, page ?? 0)) };
}

/** The pages that may be quoted from: of a passage over two pages both. */
async function readFor({ db, retrieval }: Harness, companyId: string, text: string): Promise<string[]> {
  const prepared = await retrieval.prepare(companyId, { text, limit: passagesRead }, new AbortController().signal);
  const { passages } = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared));
  const pages = passages.flatMap(({ passage, units }) => units.map(({ page }) => pageId(passage.name, page ?? 0)));
  return [...new Set(pages)];
}

function goldOf({ doc, pages, also = [] }: PdfQuestion): string[] {
  const places = doc === null ? also : [{ doc, pages }, ...also];
  return places.flatMap((place) => place.pages.map((page) => pageId(place.doc, page)));
}

async function rankWithPeers({ pages }: Collection, asked: AskedPdf[]): Promise<Ranked[]> {
  const ranked: Ranked[] = [];
  for (const peer of await pagePeers(pages)) {
    const rankings: Ranked['rankings'] = [];
    for (const { question, gold } of asked) rankings.push({ gold, found: await peer.search(question.question) });
    await peer.close();
    ranked.push({ engine: peer.name, rankings });
  }
  return ranked;
}

/** Share of the questions with a gold page among the first k. */
function recall({ rankings }: Pick<Ranked, 'rankings'>, k: number): number {
  return mean(rankings.map(({ found, gold }) => (found.slice(0, k).some((page) => gold.includes(page)) ? 1 : 0)));
}

function searchLine({ name, files, pages }: Collection, ranked: Ranked): string {
  const shares = [1, 5, 10].map((k) => recall(ranked, k).toFixed(3));
  const cells = [`${name} (${files.length})`, pages.length, ranked.rankings.length, ranked.engine, ...shares];
  return `| ${cells.join(' | ')} |`;
}

function answerLine(name: string, asked: AskedPdf[]): string {
  const answerable = asked.filter(({ question }) => question.answerable);
  const answered = answerable.filter(({ answer }) => answer.answered);
  const unanswerable = asked.filter(({ question }) => !question.answerable);
  const quotes = answered.flatMap(({ shown, gold }) => shown.map(({ page }) => !gold.includes(page)));
  const cells = [
    name,
    percent(answerable.map(isRead)),
    percent(answered.map(isInSources)),
    percent(answered.map(isShown)),
    percent(answered.map(isFirst)),
    percent(answerable.map(isRefused)),
    percent(unanswerable.map(isRefused)),
    percent(answerable.map(isQuoted)),
    percent(answerable.map(isInAnyQuote)),
    percent(quotes),
    mean(answered.map(({ shown }) => shown.length)).toFixed(1),
    percentile(
      asked.map(({ ms }) => ms),
      0.5,
    ).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

function causeLine(name: string, asked: AskedPdf[]): string {
  const counts = Map.groupBy(asked, causeOf);
  return `| ${[name, ...causes.map((cause) => counts.get(cause)?.length ?? 0)].join(' | ')} |`;
}

/** By what the answer stands in, and by language. */
function byPart(name: string, asked: AskedPdf[]): string[] {
  const answerable = asked.filter(({ question }) => question.answerable);
  const groups = [
    ...Map.groupBy(answerable, ({ question }) => question.kind ?? 'other'),
    ...Map.groupBy(answerable, ({ question }) => question.lang),
  ];
  return groups.map(([part, some]) => {
    const shares = [1, 5].map((k) => recall({ rankings: some }, k).toFixed(3));
    const rest = [isRead, isInSources, isRefused, isQuoted].map((is) => percent(some.map(is)));
    return `| ${[name, part, some.length, ...shares, ...rest].join(' | ')} |`;
  });
}

const tableOfQuestions = [
  '| files | question | answer | gold | rank of it | read | first page | quotes (right pages) | answer string | quoted first |',
  '|---|---|---|---|---|---|---|---|---|---|',
];

function questionLine(name: string, asked: AskedPdf): string {
  const { question, gold, found, answer, shown } = asked;
  const rank = found.findIndex((page) => gold.includes(page)) + 1;
  const cells = [
    name,
    question.question,
    question.answers.join(' / '),
    gold.join(', '),
    rank || '-',
    isRead(asked) ? 'yes' : 'no',
    found[0] ?? '',
    answer.answered ? `${shown.length} (${shown.filter(({ page }) => gold.includes(page)).length})` : 'refused',
    question.answerable ? causeOf(asked) : '',
    shown[0] ? `${shown[0].page}: ${shown[0].quote}` : '',
  ];
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '¦')).join(' | ')} |`;
}

function percent(each: boolean[]): string {
  return (100 * mean(each.map(Number))).toFixed(1);
}

function points(value: number): string {
  return `${value >= 0 ? '+' : ''}${(100 * value).toFixed(1)}`;
}
