import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { queries } from '#server/db/schema.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';

/**
 * Writes down whether an answer helped; null takes it back, with its reason.
 * @throws AppError `answer-not-found` where the person never got such an answer
 */
export async function rateAnswer(
  { db, jobs }: { db: Database; jobs: Jobs },
  { companyId, userId }: Actor,
  { queryId, rating, reason }: ParsedInput<'rateAnswer'>,
): Promise<void> {
  const rated = await db.asActor({ companyId, userId }, async (tx) => {
    const rated = await tx
      .update(queries)
      .set({
        rating,
        ratingReason: rating === null || !reason ? null : reason.replaceAll('\0', ' '),
        ratedAt: rating === null ? null : new Date(),
        counted: false,
      })
      .where(and(eq(queries.id, queryId), eq(queries.userId, userId)))
      .returning({ id: queries.id, isTrial: queries.isTrial });
    const told = rated.filter(({ isTrial }) => !isTrial);
    await tell(
      tx,
      jobs,
      companyId,
      told.map(() => ({ type: 'answer.rated', queryId, rating })),
    );
    return rated;
  });
  if (rated.length === 0) throw new AppError('answer-not-found');
}
