import { AppError } from '#contract/errors.ts';
import { type PlanName, plans } from '#contract/plans.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { takesSeat } from '#server/features/team/seats.ts';

/**
 * Whether the plan has a seat for everyone who uses one.
 * @throws AppError `seats-in-use`; details.seats: of the plan, details.people: the e-mails that use one
 */
export async function requireSeatsIn(tx: Tx, companyId: string, plan: PlanName): Promise<void> {
  const { seats } = plans[plan];
  if (seats === null) return;
  const everyone = await tx.select().from(users).where(eq(users.companyId, companyId)).orderBy(users.email);
  const now = new Date();
  const people = everyone.filter((user) => takesSeat(user, now)).map(({ email }) => email);
  if (people.length <= seats) return;
  throw new AppError('seats-in-use', {
    message: `This plan has ${seats} seats, and your company uses ${people.length}. Please remove people or invitations first.`,
    details: { plan, seats, people },
  });
}
