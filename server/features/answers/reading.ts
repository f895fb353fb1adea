import type { Tx } from '#server/db/db.ts';
import { withoutPlanted } from '#server/features/retrieval/planted-orders.ts';
import {
  goesOn,
  type Prepared,
  type Question,
  type Retrieval,
  type RetrievedPassage,
} from '#server/features/retrieval/retrieval.ts';
import { span } from '#server/lib/span.ts';
import { extract, type Quote } from './extract/extract.ts';
import type { Missing } from './extract/missing.ts';
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

/** What was found for a question, and what of it answers. */
export interface Reading {
  question: Question;
  /** Best first. */
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
 * the quotes that answer it without a model.
 */
export async function readFound(
  tx: Tx,
  retrieval: Retrieval,
  prepared: Prepared,
  weights: ExtractWeights = fittedWeights,
): Promise<Reading> {
  const { found, units, question, absent, weigh } = await span('read passages', async () => {
    const { passages: found, ...rest } = await retrieval.search(tx, prepared);
    return { ...rest, found, units: await unitsOfPassages(tx, found) };
  });
  const passages = await withoutPlanted(found.map((passage, i) => ({ passage, units: units[i] ?? [] })));
  const quotable = passages.slice(0, passagesQuoted);
  const { text, context } = prepared.request;
  const before = goesOn(text) ? context?.[0]?.text : undefined;
  const { quotes, missing } = await span('quotes', () => extract(question, text, quotable, absent, weights, before));
  return { question, passages, weigh, quotes, missing };
}
