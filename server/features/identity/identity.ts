import { createHash, randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Subscription } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies, credentials, users } from '#server/db/schema.ts';
import type { Actor } from '#server/http/actor.ts';
import { addressKey, type Limits } from '#server/http/limits.ts';
import type { IdentityService } from '#server/ports/identity/port.ts';
import { requireStrongPassword } from './password-policy.ts';
import { endSession, type RefreshToken, rotateSession, startSession } from './sessions.ts';

export interface IdentityDeps {
  db: Database;
  service: IdentityService;
  limits: Limits;
  config: Pick<Config, 'signup' | 'billing' | 'branding' | 'maxFileBytes' | 'rates'>;
  /** Of team and billing, which stand above this feature. */
  seatsUsed: (tx: Tx) => Promise<number>;
  subscriptionOf: (tx: Tx, companyId: string) => Promise<Subscription>;
  clock?: () => Date;
}

/** A session, and the refresh token that goes into the cookie. */
export interface SignedIn {
  session: CallOutput<'signIn'>;
  refreshToken: RefreshToken;
}

export type Identity = ReturnType<typeof createIdentity>;

type UserRow = typeof users.$inferSelect;

/** Sign-up, sign-in, sessions. */
export function createIdentity({ db, service, limits, config, clock = () => new Date(), ...deps }: IdentityDeps) {
  const { rates } = config;

  async function session(user: UserRow, refreshToken: RefreshToken): Promise<SignedIn> {
    const { idToken, expiresAt } = await service.issue({ ...user, uid: user.id });
    return { refreshToken, session: { user: wireUser(user), idToken, expiresAt: expiresAt.toISOString() } };
  }

  return {
    /**
     * Creates a company with its first admin, and signs him in.
     * @throws AppError `signup-closed`, `weak-password`, `email-already-in-use`, `too-many-requests`.
     */
    async signUp({ companyName, email, password }: ParsedInput<'signUp'>, ip: string): Promise<SignedIn> {
      await limits.take(`sign-up:${addressKey(ip)}`, rates.signUpsPerHour, 3600);
      // Asked before the hash is made as well as under the lock: a closed sign-up must not cost anything.
      if (config.signup === 'first' && (await db.asSystem(anyCompany))) throw new AppError('signup-closed');
      requireStrongPassword(password, email);
      const passwordHash = await service.hash(password);
      const now = clock();
      // There are no earlier tokens to refuse: the whole second, so that the first token need not be dated ahead.
      const tokensValidSince = new Date(Math.floor(now.getTime() / 1000) * 1000);
      const [companyId, id] = [randomUUID(), randomUUID()];
      const created = db.asSystem(async (tx) => {
        if (config.signup === 'first') {
          await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first-sign-up'))`);
          if (await anyCompany(tx)) throw new AppError('signup-closed');
        }
        await tx.insert(companies).values({ id: companyId, name: companyName, ownerId: id });
        const [user] = await tx
          .insert(users)
          .values({ companyId, id, email, role: 'admin', state: 'active', tokensValidSince, lastSignInAt: now })
          .returning();
        if (!user) throw new Error('the user was not created');
        await tx.insert(credentials).values({ companyId, userId: id, passwordHash });
        return { user, refreshToken: await startSession(tx, user, now) };
      });
      const { user, refreshToken } = await created.catch((cause: unknown) => {
        throw violates(cause, 'users_email') ? new AppError('email-already-in-use', { cause }) : cause;
      });
      return session(user, refreshToken);
    },

    /**
     * Signs in; takes the same time for an unknown e-mail as for a wrong password.
     * @throws AppError `invalid-credentials`, `too-many-requests`.
     */
    async signIn({ email, password }: ParsedInput<'signIn'>, ip: string): Promise<SignedIn> {
      await limits.take(`sign-in:address:${addressKey(ip)}`, rates.signInsPerAddress, 900);
      // A hash, so that the table of limits holds no addresses of people.
      const account = createHash('sha256').update(email).digest('hex');
      await limits.take(`sign-in:account:${account}`, rates.signInsPerAccount, 900);
      const [known] = await db.asSystem((tx) =>
        tx
          .select({ user: users, passwordHash: credentials.passwordHash })
          .from(users)
          .innerJoin(credentials, and(eq(credentials.companyId, users.companyId), eq(credentials.userId, users.id)))
          .where(and(eq(users.email, email), eq(users.state, 'active'))),
      );
      const right = await service.matches(password, known?.passwordHash ?? null);
      if (!known || !right) throw new AppError('invalid-credentials');
      const now = clock();
      const refreshToken = await db.asSystem(async (tx) => {
        await tx
          .update(users)
          .set({ lastSignInAt: now })
          .where(and(eq(users.companyId, known.user.companyId), eq(users.id, known.user.id)));
        return startSession(tx, known.user, now);
      });
      return session(known.user, refreshToken);
    },

    /** @throws AppError `session-expired` when there is no session (any more). */
    async refreshSession(refreshToken: string | undefined): Promise<SignedIn> {
      if (refreshToken === undefined) throw new AppError('session-expired');
      const rotated = await db.asSystem((tx) => rotateSession(tx, refreshToken, service.successorOf, clock()));
      if (!rotated) throw new AppError('session-expired');
      return session(rotated.user, rotated.token);
    },

    /** Ends the session; nothing to end is fine. */
    async signOut(refreshToken: string | undefined): Promise<void> {
      if (refreshToken !== undefined) await db.asSystem((tx) => endSession(tx, refreshToken, clock()));
    },

    /** Who is signed in, and what the company may do. */
    async getSession(actor: Actor): Promise<CallOutput<'getSession'>> {
      return db.asCompany(actor.companyId, async (tx) => {
        const [row] = await tx
          .select({ user: users, company: { id: companies.id, name: companies.name } })
          .from(users)
          .innerJoin(companies, eq(companies.id, users.companyId))
          .where(eq(users.id, actor.userId));
        if (!row) throw new AppError('session-expired');
        const { state, plan } = await deps.subscriptionOf(tx, actor.companyId);
        const { entitlements } = actor;
        return {
          user: { ...wireUser(row.user), role: actor.role },
          company: row.company,
          subscription: { state, plan, seats: entitlements.seats, seatsUsed: await deps.seatsUsed(tx) },
          entitlements,
          branding: config.branding,
        };
      });
    },

    /** What the signed-out pages need to know. */
    async getSettings(): Promise<CallOutput<'getSettings'>> {
      const { branding, billing, maxFileBytes } = config;
      const signupOpen = config.signup === 'open' || !(await db.asSystem(anyCompany));
      return { branding, billing, signupOpen, maxFileBytes };
    },
  };
}

function wireUser({ id, email, displayName, role, companyId }: UserRow): CallOutput<'signIn'>['user'] {
  return { uid: id, email, displayName: displayName ?? undefined, role, companyId };
}

async function anyCompany(tx: Tx): Promise<boolean> {
  return (await tx.select({ id: companies.id }).from(companies).limit(1)).length > 0;
}

/** Whether the error is a violation of this unique index; the driver's own error stands below the query builder's. */
function violates(thrown: unknown, index: string): boolean {
  for (let each = thrown; each instanceof Error; each = each.cause) {
    if ('code' in each && each.code === '23505' && 'constraint' in each && each.constraint === index) return true;
  }
  return false;
}
