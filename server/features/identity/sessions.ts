import { and, eq, gt, or } from 'drizzle-orm';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { SignInMethod } from '#contract/sign-in.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { earliestIssue, type Grant, type IdentityProvider, type RefreshToken } from '#server/ports/identity/port.ts';
import type { createDevices, DeviceMark } from './devices.ts';
import type { createGuesses, Origin } from './guesses.ts';
import { auditAccepted, lockCompany, settleClaims } from './people.ts';
import type { createSecondFactor } from './second-factor/second-factor.ts';
import { isOver, noteBegin, noteEnd, noteUse, type Place } from './session-records.ts';
import { createSignInMails } from './sign-in-mails.ts';

/** A session, the refresh token that goes into the cookie, and the mark of the browser where it proved the password. */
export interface SignedIn {
  session: CallOutput<'signIn'>;
  refreshToken: RefreshToken;
  device?: DeviceMark;
}

type UserRow = typeof users.$inferSelect;
type SessionKey = Parameters<typeof noteBegin>[1];

/** Makes sessions of passwords and of what the provider grants, and holds each against our record of the person. */
export function createSessions(deps: {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  guesses: Pick<ReturnType<typeof createGuesses>, 'count'>;
  secondFactor: Pick<ReturnType<typeof createSecondFactor>, 'prove'>;
  devices: Pick<ReturnType<typeof createDevices>, 'idOf'>;
  limits: Limits;
  sendMail: SendMail;
  clock: () => Date;
}) {
  const { db, provider, jobs, guesses, clock } = deps;
  const signInMails = createSignInMails(deps);
  return { proved, admitted, sessionOf };

  /**
   * The grant for a password, and for the second factor of whoever has one: without it nobody sees a grant.
   * @throws AppError as `proved`, `second-factor-required`, `invalid-second-factor`
   */
  async function admitted(
    { email, password, ...proof }: ParsedInput<'signIn'>,
    from: Origin,
  ): Promise<{ grant: Grant; methods: SignInMethod[] }> {
    const grant = await proved(email, password, from);
    try {
      const second = await deps.secondFactor.prove(grant.uid, proof, from);
      return { grant, methods: second === null ? ['password'] : ['password', second] };
    } catch (error) {
      await provider.endSession(grant.refreshToken.value);
      throw error;
    }
  }

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

  /**
   * The session of a grant; null, and no session, when its person is not (any more) in a company, or is to sign in
   * again.
   * @param from where it is used. With `methods` it begins there, by these; without, it goes on.
   */
  async function sessionOf(
    grant: Grant,
    from: Place & { device?: string | undefined; methods?: SignInMethod[] },
  ): Promise<SignedIn | null> {
    const signsIn = from.methods !== undefined;
    let current: Grant | null = grant;
    let user: UserRow | null = null;
    let signedInBefore = false;
    // A token made while role or company change, or just before, may say what is no longer so, and would for 15
    // minutes.
    for (let attempt = 1; current && attempt <= 3; attempt += 1) {
      const { uid: providerUid, idToken, expiresAt, refreshToken }: Grant = current;
      const found = await db.asSystem((tx) => personOf(tx, providerUid, signsIn));
      user = found?.user ?? null;
      if (attempt === 1) signedInBefore = found?.signedInBefore ?? false;
      if (!user) {
        await provider.endSession(refreshToken.value);
        return null;
      }
      if (signsIn && user.role !== 'admin' && (await isEnding(user.companyId))) {
        await provider.endSession(refreshToken.value);
        throw new AppError('company-ending');
      }
      const token = await provider.verify(idToken);
      const key = { companyId: user.companyId, userId: user.id, sessionId: token.sessionId ?? '' };
      if (!signsIn && !(await goesOn(key, from, token.authenticatedAt))) {
        await provider.endSession(refreshToken.value);
        return null;
      }
      const early = token.issuedAt < earliestIssue(user.tokensValidSince);
      const differs = token.role !== user.role || token.companyId !== user.companyId;
      // What still differs with nothing due was set at the provider; where that has an admin of its own, their word
      // comes first.
      if (!early && !user.claimsDue && (!differs || (attempt > 1 && !provider.claimsAreOurs))) {
        if (from.methods) await begin({ user, key, from, methods: from.methods, signedInBefore });
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

  async function isEnding(companyId: string): Promise<boolean> {
    const [company] = await db.asSystem((tx) =>
      tx.select({ endsAt: companies.endsAt }).from(companies).where(eq(companies.id, companyId)),
    );
    return company?.endsAt != null;
  }

  /** Writes down that a session begins, and tells its person where they have not been signed in before. */
  async function begin(given: {
    user: UserRow;
    key: SessionKey;
    from: Place & { device?: string | undefined };
    methods: SignInMethod[];
    signedInBefore: boolean;
  }): Promise<void> {
    const { user, key, from, methods, signedInBefore } = given;
    const at = clock();
    const mails = signedInBefore && (await signInMails.isWanted(user, from));
    await db.asSystem(async (tx) => {
      await noteBegin(tx, key, { place: from, methods, at });
      await audit(tx, {
        action: 'signed-in',
        by: { ...personal(user), ip: from.ip },
        ...(methods.length > 1 && { details: { methods } }),
        at,
        via: 'password',
      });
      if (mails) await signInMails.send(tx, user, { place: from, at });
    });
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
    if (accepts && changed) await auditAccepted(tx, changed, { at: now });
    return changed ? { user: changed, signedInBefore } : null;
  }
}

export function personal({ companyId, id: userId, email }: UserRow) {
  return { companyId, userId, email };
}

export function wireUser({ id, email, displayName, role, companyId }: UserRow): CallOutput<'signIn'>['user'] {
  return { uid: id, email, displayName: displayName ?? undefined, role, companyId };
}
