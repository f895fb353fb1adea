import { eq, inArray, sql } from 'drizzle-orm';
import { parseMarkers } from '#contract/citations.ts';
import type { Tx } from '#server/db/db.ts';
import { citations, queries } from '#server/db/schema.ts';

const gone = '(source deleted)';

/** Takes the words of a deleted document out of every stored answer: its quotes, and the text that stands before their numbers. */
export async function forgetQuotes(tx: Tx, documentId: string): Promise<void> {
  const cited = await tx
    .update(citations)
    .set({ quote: null })
    .where(eq(citations.documentId, documentId))
    .returning({ queryId: citations.queryId, n: citations.n });
  if (cited.length === 0) return;
  const numbersOf = Map.groupBy(cited, ({ queryId }) => queryId);
  const answers = await tx
    .select({ id: queries.id, answer: queries.answer })
    .from(queries)
    .where(inArray(queries.id, [...numbersOf.keys()]))
    // Of two documents cited in one answer and deleted at once, the second must not write the words of the first back.
    .orderBy(queries.id)
    .for('update');
  const rewritten = answers.map(({ id, answer }) => ({
    id,
    answer: withoutTextOf(answer, new Set(numbersOf.get(id)?.map(({ n }) => n))),
  }));
  // One statement however many: the deletion waits for it.
  await tx.execute(sql`
    update ${queries} set answer = rewritten.answer
    from jsonb_to_recordset(${JSON.stringify(rewritten)}::jsonb) as rewritten (id uuid, answer text)
    where ${queries.id} = rewritten.id`);
}

/** The answer without each text that rests on one of the numbers; the numbers stay, and still lead to their source. */
function withoutTextOf(answer: string, numbers: ReadonlySet<number>): string {
  const kept: string[] = [];
  // From the end: a text rests on all the numbers that follow it up to the next text.
  let rests = false;
  for (const segment of parseMarkers(answer).reverse()) {
    if (segment.kind === 'markers') {
      kept.push(segment.raw);
      rests ||= segment.numbers.some((n) => numbers.has(n));
    } else if (segment.text.trim() === '') {
      kept.push(segment.text);
    } else {
      kept.push(rests ? `${/^\s*(?:> )?/.exec(segment.text)?.[0]}${gone} ` : segment.text);
      rests = false;
    }
  }
  return kept.reverse().join('');
}
