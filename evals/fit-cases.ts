import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeCompany } from '#server/db/audience.ts';
import { extract, type Measured } from '#server/features/answers/extract/extract.ts';
import { unitsOfPassages } from '#server/features/answers/extract/quotable.ts';
import type { Unit } from '#server/features/answers/extract/unit.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { yearsIn } from '#server/lib/periods.ts';
import type { Source } from '#server/testing/corpus.ts';
import { isQuoted } from './asked.ts';
import type { Corpus, Harness } from './harness.ts';
import { officeFiles, readOfficeQuestions } from './office.ts';
import { pageId } from './pages.ts';
import { parseFiles } from './parsed.ts';
import { dataFolder, passageOfChunk, readSet, sample, sourcesOf } from './sets.ts';

/**
 * Why a question has no answer: its document or article is not there, only the page or paragraph with it, its year, or
 * it never was.
 */
export type Lack = 'document' | 'passage' | 'year' | 'never';

/** A question with what was measured for it, and whether it is answered there at all. */
export interface Look {
  /** Null: it is answered. */
  lacks: Lack | null;
  text: string;
  question: Question;
  measured: Measured;
  /** Whether each unit that was measured is the answer. */
  isRight: boolean[];
}

interface AskedHere {
  text: string;
  lacks: Lack | null;
  /** A passage that holds the answer. */
  isGold(passage: RetrievedPassage): boolean;
  isRight(passage: RetrievedPassage, unit: Unit): boolean;
}

const passagesRead = 8;
/** Where those with the answer are taken away, others must be left. */
const passagesFound = 24;
/** Before all that the documents are about. */
const yearsBack = 31;
const halves = [0, 1];

/** Whole, and with every other article absent. */
export async function lookAtTexts(harness: Harness, name: string, size: number): Promise<Look[]> {
  const set = readSet(name);
  if (!set) return [];
  const questions = sample(
    set.questions.filter(({ type }) => (type ?? 'span') === 'span'),
    size,
  );
  const articles = [...new Set(set.passages.map(({ doc }) => doc))];
  const looks: Look[] = [];
  for (const half of name === 'tatqa' ? [null] : [null, ...halves]) {
    const present = new Set(halfOf(articles, half));
    const passages = set.passages.filter(({ doc }) => present.has(doc));
    const corpus = await harness.load(sourcesOf(passages));
    const passageOf = passageOfChunk(passages, corpus);
    const ids = new Set(passages.map(({ id }) => id));
    const asked = questions.map((question): AskedHere => {
      const isGold = ({ chunkId }: RetrievedPassage) => question.gold.includes(passageOf.get(chunkId) ?? '');
      return {
        text: question.question,
        lacks: question.gold.some((id) => ids.has(id)) ? null : 'document',
        isGold,
        isRight: (passage, { text }) => isGold(passage) && isQuoted(question, [text]),
      };
    });
    // A report's questions name its years; which of its paragraphs answer those of an article nobody has looked at.
    looks.push(...(await lookAt(harness, corpus, name === 'tatqa' ? [...asked, ...inOtherYears(asked)] : asked)));
  }
  return looks;
}

/** Whole, with every other document absent, without the pages that answer, and asked about other years. */
export async function lookAtPdfs(harness: Harness, name: string): Promise<Look[]> {
  const folder = join(dataFolder, 'realpdf', name);
  if (!existsSync(folder)) return [];
  const questions: {
    question: string;
    answers: string[];
    doc: string | null;
    pages: number[];
    answerable: boolean;
    also?: { doc: string; pages: number[] }[];
  }[] = readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const files = readdirSync(join(folder, 'pdf')).sort();
  const parsed = await parseFiles(files.map((file) => join(folder, 'pdf', file)));
  return lookAtFiles(
    harness,
    parsed.flatMap(({ source }) => source ?? []),
    (here) =>
      questions.map(({ question, answers, doc, pages, answerable, also = [] }) => {
        const places = doc === null ? also : [{ doc, pages }, ...also];
        const gold = new Set(places.flatMap((place) => place.pages.map((page) => pageId(place.doc, page))));
        const isThere = places.some((place) => here.has(place.doc));
        return {
          text: question,
          lacks: answerable ? (isThere ? null : 'document') : 'never',
          isGold: ({ name: file, page, lastPage }) =>
            gold.has(pageId(file, page ?? 0)) || gold.has(pageId(file, lastPage ?? 0)),
          isRight: ({ name: file }, unit) =>
            gold.has(pageId(file, unit.page ?? 0)) && isQuoted({ answers }, [unit.text]),
        };
      }),
  );
}

/** The same of sheets, slides, texts and mails, whose place is a file. */
export async function lookAtOffice(harness: Harness): Promise<Look[]> {
  const parsed = await parseFiles(officeFiles());
  return lookAtFiles(
    harness,
    parsed.flatMap(({ source }) => source ?? []),
    (here) =>
      readOfficeQuestions().map(({ question, answers, files, answerable }) => ({
        text: question,
        lacks: answerable ? (files.some((file) => here.has(file)) ? null : 'document') : 'never',
        isGold: ({ name }) => files.includes(name),
        isRight: ({ name }, { text }) => files.includes(name) && isQuoted({ answers }, [text]),
      })),
  );
}

async function lookAtFiles(
  harness: Harness,
  sources: Source[],
  askedOf: (here: ReadonlySet<string>) => AskedHere[],
): Promise<Look[]> {
  const looks: Look[] = [];
  for (const half of [null, ...halves]) {
    const present = halfOf(sources, half);
    const asked = askedOf(new Set(present.map(({ name }) => name)));
    const corpus = await harness.load(present);
    const answered = asked.filter(({ lacks }) => lacks === null);
    const whole = [
      ...asked,
      ...answered.map((each): AskedHere => ({ ...each, lacks: 'passage' })),
      ...inOtherYears(answered),
    ];
    looks.push(
      ...(await lookAt(harness, corpus, half === null ? whole : asked.filter(({ lacks }) => lacks !== 'never'))),
    );
  }
  return looks;
}

function inOtherYears(asked: AskedHere[]): AskedHere[] {
  return asked
    .filter(({ text, lacks }) => lacks === null && yearsIn(text).size > 0)
    .map((each) => ({
      ...each,
      text: each.text.replaceAll(/\b20\d\d\b/g, (year) => String(Number(year) - yearsBack)),
      lacks: 'year',
    }));
}

function halfOf<T>(items: T[], half: number | null): T[] {
  return half === null ? items : items.filter((_, i) => i % 2 === half);
}

async function lookAt({ db, retrieval }: Harness, { actor }: Corpus, asked: AskedHere[]): Promise<Look[]> {
  const looks: Look[] = [];
  for (const { text: given, lacks, isGold, isRight } of asked) {
    const request = { text: given, limit: lacks === 'passage' ? passagesFound : passagesRead };
    const prepared = await retrieval.prepare(wholeCompany(actor.companyId), request, new AbortController().signal);
    const { text } = prepared.request;
    await db.asCompany(actor.companyId, async (tx) => {
      const { question, passages: found } = await retrieval.search(tx, prepared);
      const passages = found.filter((each) => lacks !== 'passage' || !isGold(each)).slice(0, passagesRead);
      const units = await unitsOfPassages(tx, passages);
      const read = passages.map((passage, i) => ({ passage, units: units[i] ?? [] }));
      const { measured } = await extract(question, text, read);
      if (!measured) return;
      const right = measured.units.map(({ unit, passage }) => lacks === null && isRight(passage, unit));
      looks.push({ lacks, text, question, measured, isRight: right });
    });
  }
  return looks;
}
