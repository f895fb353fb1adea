import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, lt, sql } from '#server/db/drizzle.ts';
import { askedQuestions, citations, companies, queries, questionTerms, questionWordings } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { forgetAsked } from '#server/features/webhooks/forget.ts';
import { eachByItself } from '#server/jobs/each-by-itself.ts';
import { keepStems } from './asked-questions.ts';
import { textOf } from './asked-text.ts';
import { lockCounting, zoneOf } from './count.ts';
import { forgetDays } from './days.ts';
import { wordingOf } from './same-question.ts';

/** Questions that are erased in one transaction, with their answers and citations. */
const usualAtOnce = 5000;

/**
 * The job `erase-questions`: erases what each company keeps no longer, with all that was counted of it. Whole days go,
 * so that those which stay can still be told from the questions.
 */
export async function eraseOldQuestions(
  db: Database,
  { signal, maxAtOnce = usualAtOnce }: { signal: AbortSignal; maxAtOnce?: number },
): Promise<void> {
  const rows = await db.statement<{ id: string }>(sql`
    select ${companies.id} from ${companies} where exists (
      select 1 from ${queries} where ${queries.companyId} = ${companies.id}
        and ${queries.createdAt} < now() - make_interval(days => ${companies.questionRetentionDays}))`);
  const erase = async ({ id }: { id: string }) => {
    for (let done = false; !done; done = await eraseSome(db, id, maxAtOnce)) signal.throwIfAborted();
  };
  await eachByItself(rows, erase, signal);
}

/** @returns whether all is erased */
async function eraseSome(db: Database, companyId: string, maxAtOnce: number): Promise<boolean> {
  return db.asCompany(companyId, async (tx) => {
    await lockCounting(tx, companyId);
    const timeZone = await zoneOf(tx, companyId);
    const { rows } = await tx.execute<{ day: string; at: string }>(sql`
      select day::text as day, (day::timestamp at time zone ${timeZone})::text as at
      from (
        select (now() at time zone ${timeZone})::date - ${companies.questionRetentionDays} as day from ${companies}
      ) as oldest`);
    const oldest = { day: rows[0]?.day ?? '', at: new Date(rows[0]?.at ?? '') };
    const old = await tx
      .select({ id: queries.id, askedQuestionId: queries.askedQuestionId })
      .from(queries)
      .where(lt(queries.createdAt, oldest.at))
      .orderBy(asc(queries.createdAt))
      .limit(maxAtOnce)
      .for('update', { skipLocked: true });
    const erased = old.length;
    if (erased === 0) return true;
    const ids = sql`${sql.param(old.map(({ id }) => id))}::uuid[]`;
    // The deletion of a document holds citations before their answers, and must not be the one that ends where both
    // wait for each other: what it holds fails this transaction at once, and the job tries again.
    await tx.execute(sql`select 1 from ${citations} where ${citations.queryId} = any(${ids}) for update nowait`);
    await tx.execute(sql`delete from ${queries} where ${queries.id} = any(${ids})`);
    await forgetAsked(
      tx,
      old.map(({ id }) => id),
    );
    await forgetDays(tx, companyId, oldest.day);
    const asked = old.flatMap(({ askedQuestionId }) => askedQuestionId ?? []);
    await forgetQuestions(tx, companyId, [...new Set(asked)], oldest.at);
    const details = { count: erased, before: oldest.at.toISOString() };
    await audit(tx, { action: 'questions-erased', by: { companyId }, details });
    return erased < maxAtOnce;
  });
}

/**
 * What is left of asked questions of which some askings have just been erased: nothing, where all are; else the words
 * of the first that is kept, where those it had are erased. One that has older askings still is left for their turn, so
 * that none is written more than once however many turns it takes.
 */
async function forgetQuestions(tx: Tx, companyId: string, ids: readonly string[], before: Date): Promise<void> {
  const outdated = and(
    lt(askedQuestions.createdAt, before),
    sql`${askedQuestions.id} = any(${sql.param(ids)}::uuid[])`,
  );
  const isLeft = sql`exists (select 1 from ${queries} where ${queries.askedQuestionId} = ${askedQuestions.id})`;
  await tx.delete(askedQuestions).where(and(outdated, sql`not ${isLeft}`));
  const firsts = await tx
    .selectDistinctOn([queries.askedQuestionId], {
      id: askedQuestions.id,
      question: queries.question,
      saidBefore: queries.saidBefore,
      createdAt: queries.createdAt,
    })
    .from(queries)
    .innerJoin(askedQuestions, eq(askedQuestions.id, queries.askedQuestionId))
    .where(outdated)
    .orderBy(queries.askedQuestionId, asc(queries.createdAt));
  for (const { id, ...first } of firsts.filter(({ createdAt }) => createdAt >= before)) {
    const text = textOf(first);
    const wording = wordingOf(text);
    const { terms, hash } = wording;
    await tx.update(askedQuestions).set({ text, terms, createdAt: first.createdAt }).where(eq(askedQuestions.id, id));
    await tx.delete(questionTerms).where(eq(questionTerms.askedQuestionId, id));
    await tx.delete(questionWordings).where(eq(questionWordings.askedQuestionId, id));
    await keepStems(tx, companyId, id, wording);
    await tx.insert(questionWordings).values({ companyId, hash, askedQuestionId: id }).onConflictDoNothing();
  }
}
