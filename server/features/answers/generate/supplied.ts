import { hasUnspaced } from '#server/lib/analyze.ts';
import type { Unit } from '../extract/unit.ts';
import type { ReadPassage } from '../found-quotes.ts';
import type { SupportingPassage } from './claim-check/passage.ts';

/** A passage as a model is given it: what stands next to each other in a document is one. */
export interface SuppliedPassage extends SupportingPassage {
  documentId: string;
  version: number;
  name: string;
  page: number | null;
  heading: string;
  /** The years that its document is of, as far as its name and first page say so. */
  editions?: string[];
  uploadedAt?: Date | undefined;
  /** Its words, with the names of columns above the rows of a table that does not begin in it. */
  text: string;
}

/** A cautious guess: no service's own count is at hand, and too much would be refused. */
const charactersOfToken = { usual: 3, unspaced: 0.8 };
/** A passage of which less is left says nothing. */
const minShare = 0.3;

/** Tokens that a text takes, by that guess. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / (hasUnspaced(text) ? charactersOfToken.unspaced : charactersOfToken.usual));
}

/**
 * The passages that a model may be given, best first, with neighbours merged.
 * @param budget tokens that they may have together; the last one is cut where it goes beyond
 * @param overheadOf tokens that a passage costs beside its text
 */
export function supply(
  passages: readonly ReadPassage[],
  budget: number,
  overheadOf: (passage: Omit<SuppliedPassage, 'text' | 'units'>) => number = () => 0,
): SuppliedPassage[] {
  const supplied: SuppliedPassage[] = [];
  let left = budget;
  for (const run of neighbours(passages)) {
    const [first] = run;
    if (!first) break;
    const { documentId, version, name, page, headingPath, editions, uploadedAt } = first.passage;
    const about = {
      documentId,
      version,
      name,
      page,
      heading: headingPath.join(' › '),
      editions,
      uploadedAt,
      above: `${name} ${headingPath.join(' ')}`,
    };
    left -= overheadOf(about);
    if (left <= 0) break;
    const units = run.flatMap((each) => each.units).sort((one, other) => one.start - other.start);
    const whole = withTableHeads(run.map(({ passage }) => passage.text).join('\n'), units, headingPath);
    const share = Math.min(1, left / tokensOf(whole));
    if (share < minShare && supplied.length > 0) break;
    const text = share === 1 ? whole : whole.slice(0, Math.floor(whole.length * share)).toWellFormed();
    left -= tokensOf(text);
    supplied.push({ ...about, text, units: share === 1 ? units : units.filter((unit) => text.includes(unit.text)) });
  }
  return supplied;
}

/** Runs of passages whose blocks follow each other, in the order of the best passage of each. */
function neighbours(passages: readonly ReadPassage[]): ReadPassage[][] {
  const runs: ReadPassage[][] = [];
  for (const each of passages) {
    const [first, ...others] = runs.filter((run) => run.some((other) => isBeside(each, other)));
    if (!first) {
      runs.push([each]);
      continue;
    }
    // It may be what was missing between two.
    first.push(each, ...others.flat());
    for (const other of others) runs.splice(runs.indexOf(other), 1);
  }
  for (const run of runs) run.sort((one, other) => one.passage.start - other.passage.start);
  return runs;
}

/** Whether the one goes on where the other ends, also in the middle of a long paragraph. */
function isBeside({ passage: one }: ReadPassage, { passage: other }: ReadPassage): boolean {
  if (one.documentId !== other.documentId || one.version !== other.version) return false;
  const [before, after] = one.start <= other.start ? [one, other] : [other, one];
  return before.lastBlock + 1 === after.firstBlock || before.lastBlock === after.firstBlock;
}

/** The names of columns above rows whose own header stands in another passage. */
function withTableHeads(text: string, units: readonly Unit[], headingPath: readonly string[]): string {
  const above = headingPath.join('\n');
  const heads = new Map<string, string>();
  for (const { text: row, row: of } of units) {
    const columns = of?.header?.filter((name) => name.trim() !== '').join(' | ') ?? '';
    if (columns !== '' && !above.includes(columns) && !text.includes(columns)) heads.set(row, columns);
  }
  if (heads.size === 0) return text;
  let last: string | undefined;
  return text
    .split('\n')
    .flatMap((line) => {
      const head = heads.get(line);
      const isNew = head !== undefined && head !== last;
      last = head ?? last;
      return isNew ? [`(columns: ${head})`, line] : [line];
    })
    .join('\n');
}
