import { hasUnspaced } from '#server/lib/analyze.ts';
import type { ReadPassage } from './reading.ts';
import type { SupportingPassage } from './support.ts';

/** A passage as a model is given it: what stands next to each other in a document is one. */
export interface SuppliedPassage extends SupportingPassage {
  documentId: string;
  version: number;
  name: string;
  page: number | null;
  heading: string;
  text: string;
}

/** A cautious guess: no service's own count is at hand, and too much would be refused. */
const charactersOfToken = { usual: 3, unspaced: 0.8 };

export function tokensOf(text: string): number {
  return Math.ceil(text.length / (hasUnspaced(text) ? charactersOfToken.unspaced : charactersOfToken.usual));
}

/**
 * The passages that a model may be given, best first, with neighbours merged.
 * @param budget tokens that they may have together; the last one is cut where it goes beyond
 */
export function supply(passages: ReadPassage[], budget: number): SuppliedPassage[] {
  const supplied: SuppliedPassage[] = [];
  let left = budget;
  for (const run of neighbours(passages)) {
    const [first] = run;
    if (!first || left <= 0) break;
    const { documentId, version, name, page, headingPath } = first.passage;
    const units = run.flatMap((each) => each.units).sort((one, other) => one.start - other.start);
    const whole = run.map(({ passage }) => passage.text).join('\n');
    const share = Math.min(1, left / tokensOf(whole));
    // A passage of which next to nothing is left says nothing.
    if (share < 1 && supplied.length > 0 && share < 0.3) break;
    const end = first.passage.start + Math.floor(whole.length * share);
    const text = share === 1 ? whole : whole.slice(0, Math.floor(whole.length * share));
    left -= tokensOf(text);
    supplied.push({
      documentId,
      version,
      name,
      page,
      heading: headingPath.join(' › '),
      above: `${name} ${headingPath.join(' ')}`,
      text,
      units: share === 1 ? units : units.filter((unit) => unit.end <= end),
    });
  }
  return supplied;
}

/** Runs of passages whose blocks follow each other, in the order of the best passage of each. */
function neighbours(passages: ReadPassage[]): ReadPassage[][] {
  const runs: ReadPassage[][] = [];
  for (const each of passages) {
    const { documentId, version, firstBlock, lastBlock } = each.passage;
    const near = runs.find((run) =>
      run.some(
        ({ passage }) =>
          passage.documentId === documentId &&
          passage.version === version &&
          (passage.lastBlock + 1 === firstBlock || lastBlock + 1 === passage.firstBlock),
      ),
    );
    if (near) near.push(each);
    else runs.push([each]);
  }
  for (const run of runs) run.sort((one, other) => one.passage.start - other.passage.start);
  return runs;
}
