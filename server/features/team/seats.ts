import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import { planWithMoreSeats } from '#contract/plans.ts';
import type { Tx } from '#server/db/db.ts';
import { and, count, eq, gt, or } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';

/**
 * How many seats the transaction's company uses: its people and its open invitations. An expired one has freed its
 * seat.
 */
export async function seatsUsed(tx: Tx, now = new Date()): Promise<number> {
  const open = and(eq(users.state, 'invited'), gt(users.invitationExpiresAt, now));
  const [row] = await tx
    .select({ seats: count() })
    .from(users)
    .where(or(eq(users.state, 'active'), open));
  return row?.seats ?? 0;
}

/**
 * For whoever comes in without an invitation. Only right under the company's lock.
 * @throws AppError `seats-used-up`; `subscription-required` where the company can invite nobody
 */
export function seatCheck(entitlements: (tx: Tx, companyId: string) => Promise<Entitlements>) {
  return async (tx: Tx, companyId: string, now: Date): Promise<void> => {
    const found = await entitlements(tx, companyId);
    requireFeature(found, 'invite');
    await requireFreeSeat(tx, found.seats, now);
  };
}

/** The same for one person. */
export function takesSeat(user: typeof users.$inferSelect, now: Date): boolean {
  return user.state === 'active' || (user.invitationExpiresAt !== null && user.invitationExpiresAt > now);
}

/**
 * Only right under the company's lock.
 * @param seats of the plan; null: as many as wanted.
 * @throws AppError `seats-used-up` with details.seats and details.plan, the smallest plan that has more.
 */
export async function requireFreeSeat(tx: Tx, seats: number | null, now: Date): Promise<void> {
  if (seats === null || (await seatsUsed(tx, now)) < seats) return;
  throw new AppError('seats-used-up', { details: { seats, plan: planWithMoreSeats(seats) } });
}
