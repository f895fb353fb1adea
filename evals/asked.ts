import type { CallOutput } from '#contract/calls.ts';
import { wholeCompany } from '#server/db/audience.ts';
import type { Unit } from '#server/features/answers/extract/unit.ts';
import { unitsOf } from '#server/features/answers/extract/units.ts';
import { readFound } from '#server/features/answers/found-quotes.ts';
import type { Corpus, Harness } from './harness.ts';
import { plain } from './plain.ts';
import { type AskedQuestion, blocksOf, type DataSet, type Passage, passageOfChunk } from './sets.ts';

export type Answer = CallOutput<'query'>;

/** A question with what became of it. */
export interface Asked {
  question: AskedQuestion;
  answer: Answer;
  /** Why no gold answer is quoted; null where one is. */
  missed: null | 'refused' | 'not read' | 'in no quote' | 'ranked lower';
}

/** Passages that an answer reads. */
const passagesRead = 8;

/**
 * Asks through the product's own answers. Of each that is not right it is said where the answer was lost: it was
 * refused, no gold passage was read, no single sentence or row has it, or others were preferred.
 */
export async function askAll(
  harness: Harness,
  set: DataSet,
  corpus: Corpus,
  questions: AskedQuestion[],
  isRight: (question: AskedQuestion, quotes: string[]) => boolean,
): Promise<Asked[]> {
  const passageOf = passageOfChunk(set.passages, corpus);
  const { companyId } = corpus.actor;
  const { db, retrieval } = harness;
  const asked: Asked[] = [];
  for (const question of questions) {
    const { answer } = await ask(harness, corpus.actor, question.question);
    const right = isRight(
      question,
      shownOf(answer).map(({ quote }) => quote),
    );
    asked.push({ question, answer, missed: right ? null : await whyMissed(question, answer) });
  }
  return asked;

  async function whyMissed(question: AskedQuestion, answer: Answer): Promise<Asked['missed']> {
    if (!answer.answered) return 'refused';
    const request = { text: question.question, limit: passagesRead };
    const prepared = await retrieval.prepare(wholeCompany(companyId), request, new AbortController().signal);
    const { passages } = await db.asCompany(companyId, (tx) => readFound(tx, retrieval, prepared));
    const read = passages.filter(({ passage }) => question.gold.includes(passageOf.get(passage.chunkId) ?? ''));
    if (read.length === 0) return 'not read';
    return read.some(({ units }) => units.some(({ text }) => isRight(question, [text])))
      ? 'ranked lower'
      : 'in no quote';
  }
}

/** What a question without a conversation before it is answered, and the milliseconds that it took. */
export async function ask(
  { answers }: Harness,
  actor: Corpus['actor'],
  question: string,
): Promise<{ answer: Answer; ms: number }> {
  const started = performance.now();
  const history = [{ role: 'user' as const, parts: [{ text: question }] }];
  const answer = await answers.query(actor, { history }, { signal: new AbortController().signal, emit() {} });
  return { answer, ms: performance.now() - started };
}

/** The sources that a reader is shown as the answer, without those that were found beside it. */
export function shownOf<S extends { supporting?: true | undefined }>({ sources }: { sources: S[] }): S[] {
  return sources.filter(({ supporting }) => !supporting);
}

/** Whether a gold answer stands in one of the quotes. */
export function isQuoted({ answers }: Pick<AskedQuestion, 'answers'>, quotes: string[]): boolean {
  const shown = quotes.map(plain);
  return answers.some((gold) => shown.some((quote) => quote.includes(plain(gold))));
}

/**
 * Where the answer of a question about a report stands: in a row of a table, in running text, or only as a column's
 * name.
 */
export type Place = 'row' | 'text' | 'column';

/** Of a set with tables: where each answer stands, and whether the right row is quoted. */
export function tablesOf({ passages }: DataSet) {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const rows = new Map<string, Unit[]>();
  const rowsOf = (passage: Passage) => {
    const known = rows.get(passage.id) ?? unitsOf(blocksOf(passage).map(placed));
    rows.set(passage.id, known);
    return known;
  };
  const goldRows = ({ gold, answers }: AskedQuestion): string[] =>
    gold.flatMap((id) => {
      const passage = byId.get(id);
      if (passage?.kind !== 'table') return [];
      return rowsOf(passage)
        .map(({ text }) => text)
        .filter((text) => answers.some((answer) => hasValue(text, answer)));
    });
  return {
    placeOf(question: AskedQuestion): Place {
      if (goldRows(question).length > 0) return 'row';
      const texts = question.gold.map((id) => byId.get(id)).filter((passage) => passage?.kind !== 'table');
      return isQuoted(
        question,
        texts.map((passage) => passage?.text ?? ''),
      )
        ? 'text'
        : 'column';
    },
    /** A row of the very table that has the answer. Rows of other tables with the same figure do not count. */
    isRightRow: (question: AskedQuestion, quotes: string[]) => goldRows(question).some((row) => quotes.includes(row)),
  };
}

function placed(block: ReturnType<typeof blocksOf>[number]) {
  return { index: 0, start: 0, page: null, cells: null, header: false, ...block };
}

/** The whole of a figure or name, not a part of a longer one. */
function hasValue(text: string, answer: string): boolean {
  const [own, sought] = [plain(text), plain(answer)];
  for (let at = own.indexOf(sought); at !== -1; at = own.indexOf(sought, at + 1)) {
    const [before, after] = [own.slice(0, at), own.slice(at + sought.length)];
    if (!/[\p{L}\p{N}]$|\p{N}[.,]$/u.test(before) && !/^[\p{L}\p{N}]|^[.,]\p{N}/u.test(after)) return true;
  }
  return false;
}
