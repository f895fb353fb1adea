import type { Tx } from '#server/db/db.ts';
import type { Prepared, Question, Retrieval, RetrievedPassage } from '#server/features/retrieval/retrieval.ts';
import { extract, type Quote } from './extractive.ts';
import { withoutPlanted } from './planted-orders.ts';
import { unitsOfPassages } from './quotable.ts';
import type { Unit } from './unit.ts';

/** A passage with all that may be quoted of it. */
export interface ReadPassage {
  passage: RetrievedPassage;
  units: Unit[];
}

/** What was found for a question, and what of it answers. */
export interface Reading {
  question: Question;
  /** Best first. */
  passages: ReadPassage[];
  /** At most three, best first; empty where nothing answers. */
  quotes: Quote[];
  /** How any other text weighs in the company's documents. */
  weigh: (text: string) => Question;
}

/**
 * Reads the passages that were found for a question, without what gives orders to a language model in them, and picks the
 * quotes that answer it without a model.
 */
export async function readFound(tx: Tx, retrieval: Retrieval, prepared: Prepared): Promise<Reading> {
  const { passages: found, question, weigh } = await retrieval.search(tx, prepared);
  const units = await unitsOfPassages(tx, found);
  const passages = await withoutPlanted(found.map((passage, i) => ({ passage, units: units[i] ?? [] })));
  const { quotes } = await extract(question, prepared.request.text, passages);
  return { question, passages, weigh, quotes };
}
