import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { unitsOfPassages } from '#server/features/answers/extract/quotable.ts';
import { createDraft } from '#server/features/answers/generate/draft.ts';
import { createSecondReading, type SecondReading } from '#server/features/answers/generate/second-reading.ts';
import { type SuppliedPassage, supply } from '#server/features/answers/generate/supplied.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import type { SecondReader } from '#server/ports/language-model/port.ts';
import { anchor, answerIn, type Form, forms } from './claim-forms.ts';
import { type Corpus, type Harness, openHarness } from './harness.ts';
import { parseFiles } from './parsed.ts';
import { plain } from './plain.ts';
import { sampleSources } from './sample-sources.ts';
import { dataFolder } from './sets.ts';

/** A sentence as a model would write it, beside the passage that says so or does not. */
export interface WrittenClaim {
  id: string;
  /** `samples`, or a folder of the real PDF files. */
  set: string;
  doc: string;
  page?: number;
  /** Finds the passage: words that stand in it. */
  quote: string;
  sentence: string;
  kind: string;
  true: boolean;
  lang: 'en' | 'de' | 'fr' | 'es';
  /** By the document's name: methods may be tuned on the one half alone. */
  split: 'tuned' | 'apart';
}

/**
 * What a reader sees of the claim: a number behind it, that it was not checked, that nothing supports it, or nothing of
 * it.
 */
type Outcome = 'number' | 'not checked' | 'no source' | 'not shown';

interface Run {
  claim: WrittenClaim;
  form: Form;
  outcome: Outcome;
  /** Of plain text: the same where a faithful second reader is asked about what words leave open. */
  read?: Outcome;
}

/** Passages that are supplied beside the right one. */
const others = 3;
/** A model's words come in pieces of about so many characters. */
const pieceLength = 7;

export function readClaims(): WrittenClaim[] {
  const text = readFileSync(join(import.meta.dirname, 'written-claims.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Sentences written by hand, true ones and false ones, put through the reading of a model's answer as it streams. */
export async function evaluateClaims(): Promise<string[]> {
  const harness = await openHarness();
  try {
    const claims = readClaims();
    const real = await realSources(claims);
    const corpus = await harness.load([...(await sampleSources()), ...real]);
    const runs: Run[] = [];
    let missing = 0;
    for (const some of Map.groupBy(claims, ({ doc, page, quote }) => `${doc} ${page} ${quote}`).values()) {
      const [first] = some;
      if (!first) continue;
      const supplied = await suppliedFor(harness, corpus, first);
      if (!supplied && first.set === 'samples')
        throw new Error(`${first.id}: no passage of ${first.doc} has the quote`);
      if (!supplied) missing += some.length;
      else for (const claim of some) runs.push(...(await runAll(claim, supplied)));
    }
    return report(runs, missing);
  } finally {
    await harness.close();
  }
}

async function realSources(claims: WrittenClaim[]) {
  const paths = new Set(
    claims.filter(({ set }) => set !== 'samples').map(({ set, doc }) => join(dataFolder, 'realpdf', set, 'pdf', doc)),
  );
  const parsed = await parseFiles([...paths].filter((path) => existsSync(path)));
  return parsed.flatMap(({ source }) => (source ? [source] : []));
}

/** The passage that has the quote as the second, among such as the product finds for the same words. */
async function suppliedFor({ db, retrieval }: Harness, { actor }: Corpus, { doc, page, quote }: WrittenClaim) {
  const { companyId } = actor;
  const has = (text: string) => wordsOf(text).includes(wordsOf(quote));
  const signal = new AbortController().signal;
  const found = await retrieval.find(companyId, { text: quote, limit: 12 }, signal);
  // A passage that goes over two pages has the number of the first.
  const isRight = (passage: RetrievedPassage) =>
    passage.name === doc && has(passage.text) && Math.abs((passage.page ?? 0) - (page ?? passage.page ?? 0)) <= 1;
  const right = found.passages.find(isRight);
  if (!right) return null;
  const beside = found.passages.filter((passage) => !isRight(passage) && !has(passage.text)).slice(0, others);
  const chosen = [right, ...beside];
  const units = await db.asCompany(companyId, (tx) => unitsOfPassages(tx, chosen));
  const budget = 100_000;
  const passages = chosen.flatMap((passage, i) => supply([{ passage, units: units[i] ?? [] }], budget));
  return { passages: [anchorPassage(), ...passages], weigh: found.weigh };
}

function anchorPassage(): SuppliedPassage {
  const unit = { text: anchor, block: 0, start: 0, end: anchor.length, page: null, heading: '' };
  const common = { documentId: '00000000-0000-4000-8000-000000000000', version: 1, name: 'Garden.txt', page: null };
  return { ...common, heading: '', above: 'Garden', text: anchor, units: [unit] };
}

async function runAll(
  claim: WrittenClaim,
  { passages, weigh }: { passages: SuppliedPassage[]; weigh: (text: string) => Question },
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const form of forms) {
    const answer = answerIn(form, claim.sentence, claim.lang);
    if (answer !== null) {
      const outcome = await outcomeOf(answer, passages, weigh);
      const faithful = createSecondReading(faithfulReader(claim, passages));
      runs.push({
        claim,
        form,
        outcome,
        ...(form === 'plain text' && { read: await outcomeOf(answer, passages, weigh, faithful) }),
      });
    }
    await setImmediate();
  }
  return runs;
}

async function outcomeOf(
  answer: string,
  passages: SuppliedPassage[],
  weigh: (text: string) => Question,
  reading?: SecondReading,
): Promise<Outcome> {
  const { signal } = new AbortController();
  const draft = createDraft(passages, weigh, reading && { reading, signal, onDecided() {} });
  for (let at = 0; at < answer.length; at += pieceLength) await draft.push(answer.slice(at, at + pieceLength));
  await draft.end();
  if (!draft.isShown()) return 'not shown';
  const shown = draft.answer();
  const own = answer.startsWith(anchor.slice(0, -1)) ? shown.slice(shown.indexOf(']') + 1) : shown;
  if (/\[\d+\]/.test(own)) return 'number';
  return draft.unsupported().length > 0 || draft.unchecked().length === 0 ? 'no source' : 'not checked';
}

/** Says of each statement what the set says of the claim, where it is given words of the right passage. */
function faithfulReader(claim: WrittenClaim, [, right]: SuppliedPassage[]): SecondReader {
  return {
    name: 'the labels of the set',
    async judge(pairs) {
      const isRight = (passage: string) => right?.units.some(({ text }) => passage.includes(text)) ?? false;
      const judgement = claim.true ? ('supported' as const) : ('contradicted' as const);
      return { judgements: pairs.map(({ passage }) => (isRight(passage) ? judgement : 'open')) };
    },
  };
}

function report(runs: Run[], missing: number): string[] {
  const sentences = new Set(runs.map(({ claim }) => claim));
  const count = (isTrue: boolean) => [...sentences].filter((claim) => claim.true === isTrue).length;
  const inPlain = runs.filter(({ form }) => form === 'plain text');
  const groups = (title: string, of: (run: Run) => string) => [
    ...[true, false].flatMap((isTrue) =>
      [
        ...Map.groupBy(
          inPlain.filter(({ claim }) => claim.true === isTrue),
          of,
        ),
      ]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([name, some]) => row(isTrue ? 'true' : 'false', `${title}${name}`, some)),
    ),
  ];
  return [
    `${count(true)} true and ${count(false)} false sentences written by hand; ${missing} more stand in files that are not here or were read otherwise.`,
    'With a number: true ones that keep or regain it, false ones that are shown with one. The goals: true ones with a number or not checked ≥ 95 %, marked or not shown ≤ 2 %; false ones with a number ≤ 12 % overall and ≤ 20 % of any kind.',
    '',
    '| | kind | sentences | with a number | fitted on | kept apart | not checked | marked as without a source | not shown | with a faithful second reader |',
    '|---|---|---|---|---|---|---|---|---|---|',
    row(
      'true',
      '**all, plain text**',
      inPlain.filter(({ claim }) => claim.true),
    ),
    row(
      'false',
      '**all, plain text**',
      inPlain.filter(({ claim }) => !claim.true),
    ),
    ...groups('', ({ claim }) => claim.kind),
    ...groups('language: ', ({ claim }) => claim.lang),
    ...groups('set: ', ({ claim }) => claim.set),
    '',
    'The same sentences in other forms, against plain text:',
    '',
    '| form | sentences | true with a number | plain text | false with a number | plain text |',
    '|---|---|---|---|---|---|',
    ...forms.slice(1).map((form) => formRow(form, runs)),
  ];
}

function row(is: string, name: string, some: Run[]): string {
  const halves = (['tuned', 'apart'] as const).map((split) => share(some.filter(({ claim }) => claim.split === split)));
  const rest = (['not checked', 'no source', 'not shown'] as const).map((outcome) => share(some, outcome));
  const read = share(some.map((run) => ({ ...run, outcome: run.read ?? run.outcome })));
  return `| ${is} | ${name} | ${some.length} | ${[share(some), ...halves, ...rest, read].join(' | ')} |`;
}

/** Not all sentences have every form: plain text is counted over the same ones. */
function formRow(form: Form, runs: Run[]): string {
  const own = runs.filter((run) => run.form === form);
  const claims = new Set(own.map(({ claim }) => claim));
  const flat = runs.filter((run) => run.form === 'plain text' && claims.has(run.claim));
  const cells = [true, false].flatMap((isTrue) =>
    [own, flat].map((some) => share(some.filter(({ claim }) => claim.true === isTrue))),
  );
  return `| ${form} | ${claims.size} | ${cells.join(' | ')} |`;
}

function share(some: Run[], outcome: Outcome = 'number'): string {
  if (some.length === 0) return '–';
  return `${((some.filter((run) => run.outcome === outcome).length / some.length) * 100).toFixed(1)} %`;
}

/** Cells, lists and lines are put together in many ways. */
function wordsOf(text: string): string {
  return plain(text)
    .replaceAll(/[\s|]+/g, ' ')
    .trim();
}
