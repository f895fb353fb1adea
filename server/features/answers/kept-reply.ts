import { createHash } from 'node:crypto';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { idempotencyKeyHours } from '#contract/idempotency-key.ts';
import type { Actor } from '#server/calls/actor.ts';
import { causes } from '#server/calls/errors.ts';
import type { Database } from '#server/db/db.ts';
import { eq, lt, sql } from '#server/db/drizzle.ts';
import { keptStatement } from '#server/db/kept-statement.ts';
import { keptReplies } from '#server/db/schema.ts';
import { uuidOf } from '#server/lib/uuid-of.ts';

type Answer = CallOutput<'query'>;

/** A question that may be sent again: its reply is kept with its answer. */
export interface Repeatable {
  /** The same for the same person and key, and for nobody else. */
  id: string;
  /** What is asked, shortened to a digest. */
  asked: string;
}

/** @param key the `Idempotency-Key` that was sent */
export function repeatableBy(
  { companyId, userId }: Pick<Actor, 'companyId' | 'userId'>,
  key: string,
  input: ParsedInput<'query'>,
): Repeatable {
  const asked = createHash('sha256')
    .update(JSON.stringify([input.history, input.filters ?? null]))
    .digest('hex');
  return { id: uuidOf(JSON.stringify([companyId, userId, key])), asked };
}

const keptUnder = keptStatement<{ companyId: string; id: string }, { asked: string }>(
  'kept-reply',
  sql`
    select asked from ${keptReplies}
    where company_id = ${sql.placeholder('companyId')} and id = ${sql.placeholder('id')}`,
);

/**
 * The reply that was stored when the question was sent before; null where it was not. One statement by the id, since
 * every such question waits for it.
 * @throws AppError `idempotency-key-reused` where it was another question; `answer-gone` where a document of the reply
 * is deleted, or hidden from this person by now
 */
export async function keptReply(
  db: Database,
  actor: Pick<Actor, 'companyId' | 'userId'>,
  { id, asked }: Repeatable,
): Promise<Answer | null> {
  const { companyId } = actor;
  const [kept] = await db.statement<{ asked: string }>(keptUnder.bind({ companyId, id }));
  if (!kept) return null;
  if (kept.asked !== asked) throw new AppError('idempotency-key-reused');
  // As the person sees it now.
  const [seen] = await db.asActor(actor, (tx) =>
    tx.select({ reply: keptReplies.reply }).from(keptReplies).where(eq(keptReplies.id, id)),
  );
  if (!seen?.reply) throw new AppError('answer-gone');
  return seen.reply;
}

/** Whether an answer was not stored since the same question, sent again, has been answered meanwhile. */
export function wasKeptMeanwhile(error: unknown): boolean {
  return causes(error).some((each) => 'constraint' in each && each.constraint === 'kept_replies_company_id_id_pk');
}

/** The job `clear-replies`. */
export async function clearReplies(db: Database): Promise<void> {
  const oldest = sql`now() - make_interval(hours => ${idempotencyKeyHours})`;
  await db.asSystem(async (tx) => {
    // What a deletion is about to change is left to the next hour, or the two could wait for each other.
    const { companyId, id, createdAt } = keptReplies;
    const old = tx.select({ companyId, id }).from(keptReplies).where(lt(createdAt, oldest));
    await tx.delete(keptReplies).where(sql`(${companyId}, ${id}) in ${old.for('update', { skipLocked: true })}`);
  });
}
