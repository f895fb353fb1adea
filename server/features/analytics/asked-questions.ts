import { randomUUID } from 'node:crypto';
import type { Tx } from '#server/db/db.ts';
import { and, eq, inArray, sql } from '#server/db/drizzle.ts';
import { askedQuestions, questionTerms, questionWordings } from '#server/db/schema.ts';
import { likeness, minLikeness, stemsOf, type Wording, wordingOf } from './same-question.ts';

/** Questions that are compared with a new wording: those that share most of its rarest words. */
const maxCandidates = 100;
/** A word of more questions tells none from another, and is not counted to the end. */
const maxCounted = 1000;
const rarestTerms = 4;

/**
 * The asked question that each of the texts counts as, in the transaction of their company: one that was asked in the
 * same words or in words that are much alike, else a new one. In order, so that of two new ones the second finds the
 * first. Texts of follow-ups have the question that they go on from before them.
 */
export async function countAs(
  tx: Tx,
  companyId: string,
  asked: readonly { text: string; at: Date }[],
): Promise<string[]> {
  const wordings = asked.map(({ text }) => wordingOf(text));
  const hashes = [...new Set(wordings.map(({ hash }) => hash))];
  const known = new Map<string, string>();
  for (let i = 0; i < hashes.length; i += 1000) {
    const rows = await tx
      .select({ hash: questionWordings.hash, id: questionWordings.askedQuestionId })
      .from(questionWordings)
      .where(inArray(questionWordings.hash, hashes.slice(i, i + 1000)));
    for (const { hash, id } of rows) known.set(hash, id);
  }
  const ids: string[] = [];
  for (const [i, { text, at }] of asked.entries()) {
    const wording = wordings[i] ?? wordingOf(text);
    let id = known.get(wording.hash);
    if (id === undefined) {
      id = (await alike(tx, wording)) ?? (await createQuestion(tx, companyId, { text, createdAt: at }, wording));
      await tx.insert(questionWordings).values({ companyId, hash: wording.hash, askedQuestionId: id });
      known.set(wording.hash, id);
    }
    ids.push(id);
  }
  return ids;
}

/** The question that is most like the wording, of those that are alike enough; null: there is none. */
async function alike(tx: Tx, wording: Wording): Promise<string | null> {
  const stems = stemsOf(wording);
  if (stems.length === 0) return null;
  const { rows: counts } = await tx.execute<{ term: string; questions: number }>(sql`
    select term, (
      select count(*)::int from (
        select 1 from ${questionTerms} where ${questionTerms.term} = given.term limit ${maxCounted}
      ) as counted
    ) as questions
    from unnest(${sql.param(stems)}::text[]) as given (term)`);
  const rarest = counts
    .filter(({ questions }) => questions > 0 && questions < maxCounted)
    .sort((one, other) => one.questions - other.questions)
    .slice(0, rarestTerms)
    .map(({ term }) => term);
  if (rarest.length === 0) return null;
  const candidates = await tx
    .select({ id: askedQuestions.id, terms: askedQuestions.terms })
    .from(askedQuestions)
    .innerJoin(questionTerms, eq(questionTerms.askedQuestionId, askedQuestions.id))
    .where(and(inArray(questionTerms.term, rarest)))
    .groupBy(askedQuestions.companyId, askedQuestions.id)
    .orderBy(sql`count(*) desc`, askedQuestions.createdAt)
    .limit(maxCandidates);
  let best: { id: string; likeness: number } | null = null;
  for (const { id, terms: others } of candidates) {
    const found = likeness(wording.terms, others);
    if (found >= minLikeness && found > (best?.likeness ?? 0)) best = { id, likeness: found };
  }
  return best?.id ?? null;
}

async function createQuestion(
  tx: Tx,
  companyId: string,
  first: { text: string; createdAt: Date },
  wording: Wording,
): Promise<string> {
  const id = randomUUID();
  await tx.insert(askedQuestions).values({ companyId, id, ...first, terms: wording.terms });
  await keepStems(tx, companyId, id, wording);
  return id;
}

/** Writes down by which words a question is found. */
export async function keepStems(tx: Tx, companyId: string, askedQuestionId: string, wording: Wording): Promise<void> {
  const rows = stemsOf(wording).map((term) => ({ companyId, term, askedQuestionId }));
  if (rows.length > 0) await tx.insert(questionTerms).values(rows);
}
