import type { Tx } from '#server/db/db.ts';
import { withoutPlanted } from '#server/features/retrieval/planted-orders.ts';
import { asksAmount } from '#server/features/retrieval/question/asks-amount.ts';
import {
  goesOn,
  type Prepared,
  type Question,
  type Retrieval,
  type RetrievedPassage,
} from '#server/features/retrieval/retrieval.ts';
import { createPause } from '#server/lib/pause.ts';
import { span } from '#server/lib/span.ts';
import { extract, type Quote } from './extract/extract.ts';
import type { Missing } from './extract/missing.ts';
import { withNamedRow } from './extract/named-rows.ts';
import { unitsOfPassages } from './extract/quotable.ts';
import type { Unit } from './extract/unit.ts';
import { type ExtractWeights, fittedWeights } from './extract/weights.ts';

/** A passage with all that may be quoted of it. */
export interface ReadPassage {
  passage: RetrievedPassage;
  units: Unit[];
}

/** Passages from which quotes are taken; a model may be given more. */
export const passagesQuoted = 8;
/** Where an amount is asked for, further ones that have a row with the very name of it. */
const furtherQuoted = 4;

/** What was found for a question, and what of it answers. */
export interface FoundQuotes {
  question: Question;
  /** Best first; those that were added for one of their rows come last. */
  passages: ReadPassage[];
  /** At most three that answer, best first, then those that were found beside them; empty where nothing answers. */
  quotes: Quote[];
  /** What the question names and the documents do not have. */
  missing: Missing;
  /** How any other text weighs in the company's documents. */
  weigh: (text: string) => Question;
}

/**
 * Reads the passages that were found for a question, without what gives orders to a language model in them, and picks
 * the quotes that answer it without a model. Of equal rows in many documents the right one often stands behind the
 * passages that have more of the question's other words: those with such a row are read as well.
 */
export async function readFound(
  tx: Tx,
  retrieval: Retrieval,
  prepared: Prepared,
  weights: ExtractWeights = fittedWeights,
): Promise<FoundQuotes> {
  const { text, context } = prepared.request;
  const isOfAmount = asksAmount(text);
  const { found, units, further, question, absent, weigh } = await span('read passages', async () => {
    const { passages: found, further: behind, ...rest } = await retrieval.search(tx, prepared);
    const further = isOfAmount ? behind : [];
    return { ...rest, found, further, units: await unitsOfPassages(tx, [...found, ...further]) };
  });
  const pause = createPause();
  const read = (some: RetrievedPassage[], from: number) =>
    withoutPlanted(some.map((passage, i) => ({ passage, units: units[from + i] ?? [] })));
  const [wanted, behind] = [await read(found, 0), await read(further, found.length)];
  const rest = isOfAmount ? [...wanted.slice(passagesQuoted), ...behind] : [];
  const added = await withNamedRow(question, text, rest, furtherQuoted);
  const passages = [...wanted, ...added.filter((each) => behind.includes(each))];
  const quotable = [...wanted.slice(0, passagesQuoted), ...added];
  await pause();
  const before = goesOn(text) ? context?.[0]?.text : undefined;
  const { quotes, missing } = await span('quotes', () => extract(question, text, quotable, absent, weights, before));
  return { question, passages, weigh, quotes, missing };
}
