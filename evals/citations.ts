import { wholeCompany } from '#server/db/audience.ts';
import { unitsOf } from '#server/features/answers/extract/units.ts';
import { checkClaim } from '#server/features/answers/generate/entailment.ts';
import { type ClaimPair, claimPairs } from './claims.ts';
import { type Harness, openHarness } from './harness.ts';
import { blocksOf, type DataSet, isTunedOn, readSet, sourcesOf } from './sets.ts';

/**
 * Is false support noticed? Claims that a passage makes, and such as it does not, are put to the check of written
 * answers.
 */
export async function evaluateCitations(size: number): Promise<string[]> {
  const harness = await openHarness();
  try {
    const lines = [
      '| set | claims | | pairs | marker kept | fitted on | kept apart | not checked | goal |',
      '|---|---|---|---|---|---|---|---|---|',
    ];
    for (const name of ['squad', 'tatqa']) {
      const set = readSet(name);
      if (set) lines.push(...(await checked(harness, set, size)));
    }
    return lines;
  } finally {
    await harness.close();
  }
}

async function checked({ retrieval, load }: Harness, set: DataSet, size: number): Promise<string[]> {
  const { actor } = await load(sourcesOf(set.passages));
  const { companyId } = actor;
  const { weigh } = await retrieval.find(
    wholeCompany(companyId),
    { text: 'all', limit: 1 },
    new AbortController().signal,
  );
  const passages = new Map(set.passages.map((passage) => [passage.id, passage]));
  const outcomeOf = ({ claim, passage: id }: ClaimPair) => {
    const passage = passages.get(id);
    if (!passage) return null;
    const blocks = blocksOf(passage).map((block) => ({
      index: 0,
      start: 0,
      page: null,
      cells: null,
      header: false,
      ...block,
    }));
    return checkClaim(claim, { above: passage.title, units: unitsOf(blocks) }, weigh).outcome;
  };
  const pairs = claimPairs(set, size);
  const outcomes = new Map(pairs.map((pair) => [pair, outcomeOf(pair)]));
  const keptOf = (some: ClaimPair[], outcome = 'supported') =>
    `${((some.filter((pair) => outcomes.get(pair) === outcome).length / some.length) * 100).toFixed(1)} %`;
  const row = (is: string, kind: string, some: ClaimPair[], goal: string) => {
    const halves = [true, false].map((tuned) => keptOf(some.filter(({ id }) => isTunedOn(id) === tuned)));
    return `| ${set.name} | ${is} | ${kind} | ${some.length} | ${[keptOf(some), ...halves, keptOf(some, 'not-checked')].join(' | ')} | ${goal} |`;
  };
  const byKind = [...Map.groupBy(pairs, ({ kind }) => kind)];
  return [
    ...byKind.map(([kind, some]) => row(some[0]?.isTrue ? 'true' : 'false', kind, some, '')),
    row(
      'true',
      'all',
      pairs.filter(({ isTrue }) => isTrue),
      '≥ 95 %',
    ),
    row(
      'false',
      'all',
      pairs.filter(({ isTrue }) => !isTrue),
      '≤ 10 %',
    ),
  ];
}
