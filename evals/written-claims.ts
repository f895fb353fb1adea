import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { wholeCompany } from '#server/db/audience.ts';
import { unitsOfPassages } from '#server/features/answers/extract/quotable.ts';
import { createDraft } from '#server/features/answers/generate/draft.ts';
import { createSecondReading, type SecondReading } from '#server/features/answers/generate/second-reading.ts';
import { type SuppliedPassage, supply } from '#server/features/answers/generate/supplied.ts';
import type { Question, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import type { SecondReader } from '#server/ports/language-model/port.ts';
import { anchor, answerIn, forms } from './claim-forms.ts';
import { type Corpus, type Harness, openHarness } from './harness.ts';
import { parseFiles } from './parsed.ts';
import { plain } from './plain.ts';
import { sampleSources } from './sample-sources.ts';
import { dataFolder } from './sets.ts';
import { type Outcome, type Run, report, type WrittenClaim } from './written-claims-report.ts';

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
  const found = await retrieval.find(wholeCompany(companyId), { text: quote, limit: 12 }, signal);
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

/** Cells, lists and lines are put together in many ways. */
function wordsOf(text: string): string {
  return plain(text)
    .replaceAll(/[\s|]+/g, ' ')
    .trim();
}
