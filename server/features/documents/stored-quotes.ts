import { arrayContains, eq, inArray, or, sql } from 'drizzle-orm';
import { withoutSources } from '#contract/citations.ts';
import type { Tx } from '#server/db/db.ts';
import { citations, queries } from '#server/db/schema.ts';

/** Takes the words of a deleted document out of every stored answer: its quotes, and the text that stands before their numbers. */
export async function forgetQuotes(tx: Tx, documentId: string): Promise<void> {
  const cited = await tx
    .update(citations)
    .set({ quote: null })
    .where(eq(citations.documentId, documentId))
    .returning({ queryId: citations.queryId, n: citations.n });
  const numbersOf = Map.groupBy(cited, ({ queryId }) => queryId);
  const answers = await tx
    .select({ id: queries.id, answer: queries.answer, read: queries.readDocuments })
    .from(queries)
    .where(or(inArray(queries.id, [...numbersOf.keys()]), arrayContains(queries.readDocuments, [documentId])))
    // Of two documents cited in one answer and deleted at once, the second must not write the words of the first back.
    .orderBy(queries.id)
    .for('update');
  if (answers.length === 0) return;
  const rewritten = answers.map(({ id, answer, read }) => ({
    id,
    // What a model has read may stand anywhere in what it wrote: there only text that rests on another source stays.
    answer: withoutSources(answer, new Set(numbersOf.get(id)?.map(({ n }) => n)), read !== null),
  }));
  // One statement however many: the deletion waits for it.
  await tx.execute(sql`
    update ${queries} set answer = rewritten.answer, unsupported = null
    from jsonb_to_recordset(${JSON.stringify(rewritten)}::jsonb) as rewritten (id uuid, answer text)
    where ${queries.id} = rewritten.id`);
}
