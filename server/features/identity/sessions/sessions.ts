import { setTimeout as wait } from 'node:timers/promises';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { SignInMethod } from '#contract/sign-in.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { earliestIssue, type Grant, type IdentityProvider, type RefreshToken } from '#server/ports/identity/port.ts';
import { settleClaims } from '../provider-account.ts';
import type { createDevices, DeviceMark } from './devices.ts';
import { createInside, viaOf } from './outside.ts';
import { createSessionPerson, type SessionKey } from './session-person.ts';
import { noteBegin, type Place } from './session-records.ts';
import { createSignInMails } from './sign-in-mails.ts';

/** A session, the refresh token that goes into the cookie, and the mark of the browser where it proved the password. */
export interface SignedIn {
  session: CallOutput<'signIn'>;
  refreshToken: RefreshToken;
  device?: DeviceMark;
}

type UserRow = typeof users.$inferSelect;

/** Makes sessions of what the provider grants, and holds each against our record of the person. */
export function createSessions(deps: {
  db: Database;
  jobs: Jobs;
  provider: IdentityProvider;
  devices: Pick<ReturnType<typeof createDevices>, 'idOf'>;
  limits: Limits;
  sendMail: SendMail;
  clock: () => Date;
}) {
  const { db, provider, clock } = deps;
  const { personOf, isEnding, goesOn } = createSessionPerson(deps);
  const signInMails = createSignInMails(deps);
  const requireInside = createInside(deps);
  return { sessionOf };

  /**
   * The session of a grant; null, and no session, when its person is not (any more) in a company, or is to sign in
   * again.
   * @param from where it is used. With `methods` it begins there, by these; without, it goes on.
   * @throws AppError `address-not-allowed`: a session that goes on is not ended by that, and may go on elsewhere
   */
  async function sessionOf(
    grant: Grant,
    from: Place & { device?: string | undefined; methods?: SignInMethod[]; providerSession?: string | null },
  ): Promise<SignedIn | null> {
    const signsIn = from.methods !== undefined;
    await requireInside(grant, from);
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
      const validFrom = earliestIssue(user.tokensValidSince);
      const early = token.issuedAt < validFrom;
      const differs = token.role !== user.role || token.companyId !== user.companyId;
      // What still differs with nothing due was set at the provider; where that has an admin of its own, their word
      // comes first.
      if (!early && !user.claimsDue && (!differs || (attempt > 1 && !provider.claimsAreOurs))) {
        if (from.methods) await begin({ user, key, from, methods: from.methods, signedInBefore });
        return { refreshToken, session: { user: wireUser(user), idToken, expiresAt: expiresAt.toISOString() } };
      }
      await settle(deps, user, differs);
      if (early) await waitUntil(validFrom, clock());
      current = await provider.refresh(refreshToken.value);
    }
    if (current) throw new AppError('unavailable');
    return null;
  }

  /** Writes down that a session begins, and tells its person where they have not been signed in before. */
  async function begin(given: {
    user: UserRow;
    key: SessionKey;
    from: Place & { device?: string | undefined; providerSession?: string | null };
    methods: SignInMethod[];
    signedInBefore: boolean;
  }): Promise<void> {
    const { user, key, from, methods, signedInBefore } = given;
    const at = clock();
    const mails = signedInBefore && (await signInMails.isWanted(user, from));
    await db.asSystem(async (tx) => {
      await noteBegin(tx, key, { place: from, methods, providerSession: from.providerSession, at });
      await audit(tx, {
        action: 'signed-in',
        by: { ...personal(user), ip: from.ip },
        ...(methods.length > 1 && { details: { methods } }),
        at,
        via: viaOf(methods),
      });
      if (mails) await signInMails.send(tx, user, { place: from, at });
    });
  }
}

/** Tells the provider what is due, and what differs in a token where claims are ours. */
async function settle(
  deps: { db: Database; provider: IdentityProvider; clock: () => Date },
  { id, companyId }: UserRow,
  differs: boolean,
): Promise<void> {
  if (differs && deps.provider.claimsAreOurs)
    await deps.db.asSystem((tx) => tx.update(users).set({ claimsDue: true }).where(eq(users.id, id)));
  await settleClaims(deps, { companyId, uid: id });
}

/**
 * What ended a person's tokens a moment ago may not have told the provider, which then still makes tokens of a second
 * that is not valid: at most one second is waited for.
 */
async function waitUntil(validFrom: Date, now: Date): Promise<void> {
  await wait(Math.min(1000, Math.max(0, validFrom.getTime() - now.getTime())));
}

/** A person as whoever does something, for the audit log. */
export function personal({ companyId, id: userId, email }: UserRow) {
  return { companyId, userId, email };
}

/** A person as the contract has it. */
export function wireUser({ id, email, displayName, role, companyId }: UserRow): CallOutput<'signIn'>['user'] {
  return { uid: id, email, displayName: displayName ?? undefined, role, companyId };
}
