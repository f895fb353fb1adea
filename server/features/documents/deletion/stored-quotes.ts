import { withoutSources } from '#contract/citations.ts';
import type { Tx } from '#server/db/db.ts';
import { arrayContains, eq, inArray, sql } from '#server/db/drizzle.ts';
import { citations, keptReplies, queries } from '#server/db/schema.ts';
import { createPause } from '#server/lib/pause.ts';

/** Answers rewritten in one statement: the deletion waits for them, and nobody else may. */
const answersAtOnce = 200;

/**
 * Takes the words of a deleted document out of every stored answer: its quotes, and the text that stands before their
 * numbers; and forgets the replies that tell of it.
 */
export async function forgetQuotes(tx: Tx, documentId: string): Promise<void> {
  const cited = await tx
    .update(citations)
    .set({ quote: null })
    .where(eq(citations.documentId, documentId))
    .returning({ queryId: citations.queryId, n: citations.n });
  const numbersOf = Map.groupBy(cited, ({ queryId }) => queryId);
  const read = await tx
    .select({ id: queries.id })
    .from(queries)
    .where(arrayContains(queries.readDocuments, [documentId]));
  // Of two documents cited in one answer and deleted at once, the second must not write the words of the first back: in
  // one order, and each answer held before it is read.
  const ids = [...new Set([...numbersOf.keys(), ...read.map(({ id }) => id)])].sort();
  const pause = createPause();
  for (let i = 0; i < ids.length; i += answersAtOnce) {
    const answers = await tx
      .select({ id: queries.id, answer: queries.answer, read: queries.readDocuments })
      .from(queries)
      .where(inArray(queries.id, ids.slice(i, i + answersAtOnce)))
      .orderBy(queries.id)
      .for('update');
    const rewritten: { id: string; answer: string }[] = [];
    for (const { id, answer, read: readDocuments } of answers) {
      const numbers = new Set(numbersOf.get(id)?.map(({ n }) => n));
      // What a model has read may stand anywhere in what it wrote: there only text that rests on another source stays.
      rewritten.push({ id, answer: withoutSources(answer, numbers, readDocuments !== null) });
      await pause();
    }
    await tx.execute(sql`
      update ${queries} set answer = rewritten.answer, unsupported = null, unchecked = null
      from jsonb_to_recordset(${JSON.stringify(rewritten)}::jsonb) as rewritten (id uuid, answer text)
      where ${queries.id} = rewritten.id`);
  }
  await tx
    .update(keptReplies)
    .set({ reply: null })
    .where(arrayContains(keptReplies.documentIds, [documentId]));
}
