import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeCompany } from '#server/db/audience.ts';
import { readFound } from '#server/features/answers/found-quotes.ts';
import { ask, shownOf } from './asked.ts';
import { type Harness, openHarness } from './harness.ts';
import { pageId, pagePeers } from './pages.ts';
import { parseFiles } from './parsed.ts';
import { type AskedPdf, causes, type PdfQuestion } from './pdf-asked.ts';
import {
  answerLine,
  byPart,
  type Collection,
  causeLine,
  points,
  questionLine,
  type Ranked,
  recall,
  searchLine,
  tableOfQuestions,
} from './pdf-report.ts';
import { dataFolder } from './sets.ts';

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
  const { passages } = await retrieval.find(wholeCompany(companyId), { text, limit: 10 }, new AbortController().signal);
  return { found: passages.map(({ name, page }) => pageId(name, page ?? 0)) };
}

/** The pages that may be quoted from: of a passage over two pages both. */
async function readFor({ db, retrieval }: Harness, companyId: string, text: string): Promise<string[]> {
  const prepared = await retrieval.prepare(
    wholeCompany(companyId),
    { text, limit: passagesRead },
    new AbortController().signal,
  );
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
