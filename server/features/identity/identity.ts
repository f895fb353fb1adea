import { eq } from 'drizzle-orm';
import type { Branding } from '#contract/calls/identity.ts';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Subscription } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { createAccount } from './account.ts';
import { createConfirmation } from './confirmation.ts';
import { createDevices } from './devices.ts';
import { createGuesses, type Origin } from './guesses.ts';
import { createPasswordReset } from './password-reset.ts';
import { createSessionList, noteEnd, type Place } from './session-records.ts';
import { createSessions, personal, type SignedIn, wireUser } from './sessions.ts';
import { anyCompany } from './set-up.ts';
import { createSignUp } from './sign-up.ts';

export interface IdentityDeps {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'signup' | 'billing' | 'branding' | 'maxFileBytes' | 'rates'>;
  /** Seals the marks of browsers. */
  deviceSecret: Uint8Array;
  sendMail: SendMail;
  /** Without it nobody creates the first company; null: none is needed. */
  setUpCode: string | null;
  /** Of team and billing, which stand above this feature. */
  seatsUsed: (tx: Tx) => Promise<number>;
  subscriptionOf: (tx: Tx, companyId: string) => Promise<Subscription>;
  /** Of answers, which stands above it, too: what the chat screen shows of the assistant. */
  agentShown: (tx: Tx) => Promise<CallOutput<'getSession'>['assistant']>;
  /** Of the settings, which stand above it, too: how the product is shown to the company's people. */
  brandingOf: (tx: Tx, companyId: string) => Promise<Branding>;
  clock?: () => Date;
}

export type Identity = ReturnType<typeof createIdentity>;

/** Sign-up, sign-in, sessions, passwords. */
export function createIdentity({ clock = () => new Date(), ...deps }: IdentityDeps) {
  const { db, provider, jobs, limits, config, sendMail } = deps;
  const devices = createDevices(deps.deviceSecret, clock);
  const guesses = createGuesses({ limits, devices, rates: config.rates });
  const { proved, sessionOf } = createSessions({ db, provider, jobs, guesses, devices, limits, sendMail, clock });
  const byPassword = (from: Origin) => ({ ...from, methods: ['password' as const] });
  const passwordReset = createPasswordReset({ db, provider, jobs, limits, config, devices, sendMail, clock });

  return {
    ...passwordReset,
    ...createConfirmation({ db, jobs, limits, config, sendMail, clock }),
    ...createSessionList({ db, provider, clock }),
    ...createAccount({ db, provider }),

    /**
     * Creates a company with its first admin, and signs him in.
     * @throws AppError `signup-closed`, `set-up-code-required`, `invalid-company-name`, `weak-password`,
     * `email-already-in-use`, `too-many-requests`.
     */
    async signUp(input: ParsedInput<'signUp'>, from: Origin): Promise<SignedIn> {
      await limits.take(`sign-up:${addressKey(from.ip)}`, config.rates.signUpsPerHour, 3600);
      const signUp = createSignUp({
        db,
        provider,
        config,
        jobs,
        setUpCode: deps.setUpCode,
        clock,
        // A guess like any other.
        proves: async (email, password) => {
          const grant = await proved(email, password, from).catch(() => null);
          if (grant) await provider.endSession(grant.refreshToken.value);
          return grant?.uid ?? null;
        },
      });
      await signUp(input, from.ip);
      const grant = await provider.signIn(input.email, input.password, addressKey(from.ip));
      const signedIn = await sessionOf(grant, byPassword(from));
      if (!signedIn) throw new AppError('invalid-credentials');
      return { ...signedIn, device: devices.mark(input.email, from.device) };
    },

    /**
     * Signs in; takes the same time for an unknown e-mail as for a wrong password.
     * @throws AppError `invalid-credentials`, `too-many-requests`.
     */
    async signIn({ email, password }: ParsedInput<'signIn'>, from: Origin): Promise<SignedIn> {
      const grant = await proved(email, password, from);
      const signedIn = await sessionOf(grant, byPassword(from));
      if (!signedIn) throw new AppError('invalid-credentials');
      return { ...signedIn, device: devices.mark(email, from.device) };
    },

    /** @throws AppError `session-expired` when there is no session (any more). */
    async refreshSession(refreshToken: string | undefined, from: Place): Promise<SignedIn> {
      const grant = refreshToken === undefined ? null : await provider.refresh(refreshToken);
      const signedIn = grant && (await sessionOf(grant, { ip: from.ip, agent: from.agent }));
      if (!signedIn) throw new AppError('session-expired');
      return signedIn;
    },

    /** Ends the session; nothing to end is fine. */
    async signOut(refreshToken: string | undefined, ip: string): Promise<void> {
      const ended = refreshToken === undefined ? null : await provider.endSession(refreshToken);
      if (!ended) return;
      await db.asSystem(async (tx) => {
        const [user] = await tx.select().from(users).where(eq(users.providerUid, ended.uid));
        if (!user) return;
        const { companyId, id: userId } = user;
        const { sessionId } = ended;
        await noteEnd(tx, { companyId, userId, sessionId }, clock());
        await audit(tx, { action: 'signed-out', by: { ...personal(user), ip }, at: clock() });
        await db.notify(tx, 'people', { userId, sessionId });
      });
    },

    /**
     * Confirms the password of whoever is signed in. Answers a new session in place of the browser's earlier one.
     * @throws AppError `invalid-credentials`, `too-many-requests`.
     */
    async reauthenticate(actor: Actor, password: string, from: Origin & { refreshToken: string | undefined }) {
      const grant = await proved(actor.email, password, from);
      const signedIn = await sessionOf(grant, byPassword(from));
      if (signedIn?.session.user.uid !== actor.userId) throw new AppError('invalid-credentials');
      const earlier = from.refreshToken === undefined ? null : await provider.endSession(from.refreshToken);
      const { companyId, userId } = actor;
      if (earlier?.uid === grant.uid)
        await db.asSystem((tx) => noteEnd(tx, { companyId, userId, sessionId: earlier.sessionId }, clock()));
      return { ...signedIn, device: devices.mark(actor.email, from.device) };
    },

    /**
     * Sets a new password with the one of now, by the same steps as a forgotten one. Every session of the person ends;
     * the answer is a new one.
     * @throws AppError `invalid-credentials`, `weak-password`, `too-many-requests`.
     */
    async changePassword(
      { companyId, userId, email }: Actor,
      { currentPassword, newPassword }: ParsedInput<'changePassword'>,
      from: Origin,
    ): Promise<SignedIn> {
      const { uid, refreshToken } = await proved(email, currentPassword, from);
      await provider.endSession(refreshToken.value);
      const [user] = await db.asCompany(companyId, (tx) => tx.select().from(users).where(eq(users.id, userId)));
      if (user?.providerUid !== uid) throw new AppError('invalid-credentials');
      const oobCode = await provider.createResetCode(email);
      if (oobCode === null) throw new AppError('unavailable');
      const { device } = await passwordReset.confirmPasswordReset({ oobCode, newPassword }, from);
      const grant = await provider.signIn(email, newPassword, addressKey(from.ip));
      const signedIn = await sessionOf(grant, byPassword({ ...from, device: device.value }));
      if (!signedIn) throw new AppError('session-expired');
      return { ...signedIn, device };
    },

    /** Who is signed in, and what the company may do. */
    async getSession(actor: Actor): Promise<CallOutput<'getSession'>> {
      return db.asCompany(actor.companyId, async (tx) => {
        const [row] = await tx
          .select({
            user: users,
            company: { id: companies.id, name: companies.name, sessionIdleMinutes: companies.sessionIdleMinutes },
            endsAt: companies.endsAt,
          })
          .from(users)
          .innerJoin(companies, eq(companies.id, users.companyId))
          .where(eq(users.id, actor.userId));
        if (!row) throw new AppError('session-expired');
        const { state, plan } = await deps.subscriptionOf(tx, actor.companyId);
        const { entitlements } = actor;
        return {
          user: { ...wireUser(row.user), role: actor.role, emailConfirmed: row.user.emailConfirmedAt !== null },
          company: { ...row.company, ...(row.endsAt && { endsAt: row.endsAt.toISOString() }) },
          subscription: { state, plan, seats: entitlements.seats, seatsUsed: await deps.seatsUsed(tx) },
          entitlements,
          branding: await deps.brandingOf(tx, actor.companyId),
          assistant: await deps.agentShown(tx),
        };
      });
    },

    /** What the signed-out pages need to know. */
    async getSettings(): Promise<Omit<CallOutput<'getSettings'>, 'hasSession'>> {
      const { branding, billing, maxFileBytes } = config;
      const isEmpty = !(await db.asSystem(anyCompany));
      const signupOpen = config.signup === 'open' || isEmpty;
      const setupCodeNeeded = signupOpen && deps.setUpCode !== null;
      return { branding, billing, signupOpen, setupCodeNeeded, isEmpty, maxFileBytes };
    },
  };
}
