import { and, eq, gt, or } from 'drizzle-orm';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressKey } from '#server/calls/limits.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { earliestIssue, type Grant, type IdentityProvider, type RefreshToken } from '#server/ports/identity/port.ts';
import type { DeviceMark } from './devices.ts';
import type { createGuesses, Origin } from './guesses.ts';
import { auditAccepted, lockCompany, settleClaims } from './people.ts';

/** A session, the refresh token that goes into the cookie, and the mark of the browser where it proved the password. */
export interface SignedIn {
  session: CallOutput<'signIn'>;
  refreshToken: RefreshToken;
  device?: DeviceMark;
}

type UserRow = typeof users.$inferSelect;

/** Makes sessions of passwords and of what the provider grants, and holds each against our record of the person. */
export function createSessions(deps: {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  guesses: Pick<ReturnType<typeof createGuesses>, 'count'>;
  clock: () => Date;
}) {
  const { db, provider, jobs, guesses, clock } = deps;
  return { proved, sessionOf };

  /** The provider's grant for a password. @throws AppError `invalid-credentials`, `too-many-requests` */
  async function proved(email: string, password: string, from: Origin): Promise<Grant> {
    const wasRight = await guesses.count(email, from);
    const grant = await provider.signIn(email, password, addressKey(from.ip)).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid-credentials') {
        const failed = { email, ip: from.ip, at: clock().toISOString() };
        await db.asSystem((tx) => jobs.enqueue(tx, 'note-failed-sign-in', failed));
      }
      throw error;
    });
    await wasRight();
    return grant;
  }

  /** The session of a grant; null, and no session, when its person is not (any more) in a company. */
  async function sessionOf(grant: Grant, { signsInFrom: ip }: { signsInFrom?: string }): Promise<SignedIn | null> {
    const signsIn = ip !== undefined;
    let current: Grant | null = grant;
    let user: UserRow | null = null;
    // A token made while role or company change, or just before, may say what is no longer so, and would for 15
    // minutes.
    for (let attempt = 1; current && attempt <= 3; attempt += 1) {
      const { uid: providerUid, idToken, expiresAt, refreshToken }: Grant = current;
      user = await db.asSystem((tx) => personOf(tx, providerUid, signsIn));
      if (!user) {
        await provider.endSession(refreshToken.value);
        return null;
      }
      const token = await provider.verify(idToken);
      if (!signsIn && (await isTooOld(user.companyId, token.authenticatedAt))) {
        await provider.endSession(refreshToken.value);
        return null;
      }
      const early = token.issuedAt < earliestIssue(user.tokensValidSince);
      const differs = token.role !== user.role || token.companyId !== user.companyId;
      // What still differs with nothing due was set at the provider; where that has an admin of its own, their word
      // comes first.
      if (!early && !user.claimsDue && (!differs || (attempt > 1 && !provider.claimsAreOurs))) {
        const by = { ...personal(user), ip };
        if (signsIn) await db.asSystem((tx) => audit(tx, { action: 'signed-in', by, at: clock(), via: 'password' }));
        return { refreshToken, session: { user: wireUser(user), idToken, expiresAt: expiresAt.toISOString() } };
      }
      const { id } = user;
      if (differs && provider.claimsAreOurs)
        await db.asSystem((tx) => tx.update(users).set({ claimsDue: true }).where(eq(users.id, id)));
      await settleClaims({ db, provider, clock }, { companyId: user.companyId, uid: id });
      current = await provider.refresh(refreshToken.value);
    }
    if (current) throw new AppError('unavailable');
    return null;
  }

  /** Whether the company wants its people to sign in again by now. */
  async function isTooOld(companyId: string, authenticatedAt: Date): Promise<boolean> {
    const [company] = await db.asSystem((tx) =>
      tx.select({ days: companies.sessionDays }).from(companies).where(eq(companies.id, companyId)),
    );
    const days = company?.days ?? null;
    return days !== null && clock().getTime() >= authenticatedAt.getTime() + days * 86_400_000;
  }

  async function personOf(tx: Tx, providerUid: string, signsIn: boolean): Promise<UserRow | null> {
    const ofProvider = eq(users.providerUid, providerUid);
    const [user] = await tx.select().from(users).where(ofProvider);
    if (!user || !signsIn) return user?.state === 'active' ? user : null;
    // Who was invited gets a password by the mailed code alone, so this one has used it, and the process ended before
    // it could be written down. The lock: what ends meanwhile may have lost its seat to another.
    const accepts = user.state === 'invited';
    if (accepts) await lockCompany(tx, user.companyId);
    const now = clock();
    const stillOpen = or(eq(users.state, 'active'), gt(users.invitationExpiresAt, now));
    const confirms = accepts && { emailConfirmedAt: now };
    const changes = { state: 'active', lastSignInAt: now, invitationExpiresAt: null, ...confirms } as const;
    const [changed] = await tx.update(users).set(changes).where(and(ofProvider, stillOpen)).returning();
    if (accepts && changed) await auditAccepted(tx, changed, { at: now });
    return changed ?? null;
  }
}

export function personal({ companyId, id: userId, email }: UserRow) {
  return { companyId, userId, email };
}

export function wireUser({ id, email, displayName, role, companyId }: UserRow): CallOutput<'signIn'>['user'] {
  return { uid: id, email, displayName: displayName ?? undefined, role, companyId };
}
