import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { addressKey } from '#server/calls/limits.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { createAccount } from './account.ts';
import { createAdmission } from './admission.ts';
import { createConfirmation } from './confirmation.ts';
import type { IdentityDeps } from './deps.ts';
import { createGuesses, type Origin } from './guesses.ts';
import { createChangePassword } from './passwords/change-password.ts';
import { createPasswordReset } from './passwords/password-reset.ts';
import { createReset } from './second-factor/reset.ts';
import { createSecondFactor } from './second-factor/second-factor.ts';
import { createDevices } from './sessions/devices.ts';
import { createRefreshSession } from './sessions/refresh-session.ts';
import { createSessionList } from './sessions/session-list.ts';
import { endEarlier, noteEnd } from './sessions/session-records.ts';
import { createSessions, personal, type SignedIn } from './sessions/sessions.ts';
import { createSignUp } from './sign-up.ts';
import { createProviders } from './single-sign-on/companies.ts';
import { createSingleSignOn } from './single-sign-on/single-sign-on.ts';
import { createWelcome } from './welcome.ts';

export type Identity = ReturnType<typeof createIdentity>;

/** Sign-up, sign-in, sessions, passwords. */
export function createIdentity({ clock = () => new Date(), ...deps }: IdentityDeps) {
  const { db, provider, jobs, limits, config, sendMail } = deps;
  const devices = createDevices(deps.deviceSecret, clock);
  const guesses = createGuesses({ limits, devices, rates: config.rates });
  const sessionList = createSessionList({ db, provider, clock });
  const secondFactor = createSecondFactor({ ...deps, devices, sessionList, clock });
  const providers = createProviders({ ...deps, isPossible: provider.claimsAreOurs, clock });
  const { proved, admitted } = createAdmission({ ...deps, guesses, secondFactor, providers, clock });
  const { sessionOf } = createSessions({ ...deps, devices, clock });
  const passwordReset = createPasswordReset({ db, provider, jobs, limits, config, devices, sendMail, clock });

  return {
    ...passwordReset,
    ...createConfirmation({ db, jobs, limits, config, sendMail, clock }),
    ...sessionList,
    refreshSession: createRefreshSession({ provider, sessionOf }),
    changePassword: createChangePassword({ db, provider, devices, passwordReset, proved, sessionOf }),
    ...createAccount({ db, provider, secondFactor }),
    ...createWelcome({ ...deps, secondFactor, providers }),
    singleSignOn: createSingleSignOn({ ...deps, providers, devices, sessionOf, clock }),
    secondFactor,
    resetSecondFactor: createReset({ db, provider, sendMail, config, clock }),

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
      const signedIn = await sessionOf(grant, { ...from, methods: ['password'] });
      if (!signedIn) throw new AppError('invalid-credentials');
      return { ...signedIn, device: devices.mark(input.email, from.device) };
    },

    /**
     * Signs in; takes the same time for an unknown e-mail as for a wrong password.
     * @throws AppError `invalid-credentials`, `second-factor-required`, `invalid-second-factor`, `too-many-requests`.
     */
    async signIn(input: ParsedInput<'signIn'>, from: Origin): Promise<SignedIn> {
      const { grant, methods } = await admitted(input, from);
      const signedIn = await sessionOf(grant, { ...from, methods });
      if (!signedIn) throw new AppError('invalid-credentials');
      return { ...signedIn, device: devices.mark(input.email, from.device) };
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
     * Confirms the password, and the second factor, of whoever is signed in. Answers a new session in place of the
     * browser's earlier one.
     * @throws AppError as `signIn`.
     */
    async reauthenticate(
      actor: Actor,
      input: ParsedInput<'reauthenticate'>,
      from: Origin & { refreshToken: string | undefined },
    ) {
      const { grant, methods } = await admitted({ ...input, email: actor.email }, from);
      const signedIn = await sessionOf(grant, { ...from, methods });
      if (signedIn?.session.user.uid !== actor.userId) throw new AppError('invalid-credentials');
      const person = { companyId: actor.companyId, id: actor.userId, providerUid: grant.uid };
      await endEarlier({ db, provider, clock }, from.refreshToken, person);
      return { ...signedIn, device: devices.mark(actor.email, from.device) };
    },
  };
}
