import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, gt, or } from '#server/db/drizzle.ts';
import { companies, users } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { lockCompany, noteAccepted } from '../people.ts';
import { isOver, type noteBegin, noteEnd, noteUse, type Place } from './session-records.ts';

type UserRow = typeof users.$inferSelect;
export type SessionKey = Parameters<typeof noteBegin>[1];

/** What our records say of the person of a session, and of the company. */
export function createSessionPerson({ db, jobs, clock }: { db: Database; jobs: Jobs; clock: () => Date }) {
  /** Null where nobody (any more) has this account at the provider; signing in is what accepts an invitation. */
  async function personOf(
    tx: Tx,
    providerUid: string,
    signsIn: boolean,
  ): Promise<{ user: UserRow; signedInBefore: boolean } | null> {
    const ofProvider = eq(users.providerUid, providerUid);
    const [user] = await tx.select().from(users).where(ofProvider);
    const signedInBefore = user !== undefined && user.lastSignInAt !== null;
    if (!user || !signsIn) return user?.state === 'active' ? { user, signedInBefore } : null;
    // Who was invited gets a password by the mailed code alone, so this one has used it, and the process ended before
    // it could be written down. The lock: what ends meanwhile may have lost its seat to another.
    const accepts = user.state === 'invited';
    if (accepts) await lockCompany(tx, user.companyId);
    const now = clock();
    const stillOpen = or(eq(users.state, 'active'), gt(users.invitationExpiresAt, now));
    const confirms = accepts && { emailConfirmedAt: now };
    const changes = { state: 'active', lastSignInAt: now, invitationExpiresAt: null, ...confirms } as const;
    const [changed] = await tx.update(users).set(changes).where(and(ofProvider, stillOpen)).returning();
    if (accepts && changed) await noteAccepted(tx, jobs, changed, { at: now });
    return changed ? { user: changed, signedInBefore } : null;
  }

  async function isEnding(companyId: string): Promise<boolean> {
    const [company] = await db.asSystem((tx) =>
      tx.select({ endsAt: companies.endsAt }).from(companies).where(eq(companies.id, companyId)),
    );
    return company?.endsAt != null;
  }

  /** Whether a session goes on: nobody has ended it, and the company does not want its people to sign in again. */
  async function goesOn(key: SessionKey, place: Place, begunAt: Date): Promise<boolean> {
    return db.asSystem(async (tx) => {
      const at = clock();
      const before = await noteUse(tx, key, { place, begunAt, at });
      if (!before) return false;
      const [limits] = await tx
        .select({ sessionDays: companies.sessionDays, sessionIdleMinutes: companies.sessionIdleMinutes })
        .from(companies)
        .where(eq(companies.id, key.companyId));
      const over = limits !== undefined && isOver(limits, { begunAt, seenAt: before.seenAt, now: at });
      if (over) await noteEnd(tx, key, at);
      return !over;
    });
  }

  return { personOf, isEnding, goesOn };
}
