import type { CallOutput } from '#contract/calls.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Identity } from './identity.ts';
import type { SignedIn } from './sessions/sessions.ts';
import type { Begun } from './single-sign-on/single-sign-on.ts';

/** Opens the payment page for a new company; null: payment is off. Of billing, which stands above this feature. */
export type OpenCheckout =
  | ((
      payer: { companyId: string; email: string },
      priceId: string,
    ) => Promise<Pick<CallOutput<'signUp'>, 'checkout' | 'checkoutError'>>)
  | null;

export function identityCalls(identity: Identity, openCheckout: OpenCheckout) {
  const sso = identity.singleSignOn;
  return {
    signUp: async (input, context) => {
      const session = answer(await identity.signUp(input, context), context);
      if (!openCheckout || input.priceId === undefined) return session;
      return { ...session, ...(await openCheckout(session.user, input.priceId)) };
    },
    signIn: async (input, context) => answer(await identity.signIn(input, context), context),
    refreshSession: async (_, context) =>
      answer(await identity.refreshSession(context.refreshToken, context, context.setRefreshToken), context),
    signOut: async (_, { refreshToken, setRefreshToken, ip }) => {
      await identity.signOut(refreshToken, ip);
      setRefreshToken(null);
      return null;
    },
    reauthenticate: async (input, context) =>
      answer(await identity.reauthenticate(context.actor, input, context), context),
    changePassword: async (input, context) =>
      answer(await identity.changePassword(context.actor, input, context), context),
    setDisplayName: ({ displayName }, { actor }) => identity.setDisplayName(actor, displayName),
    sendPasswordReset: (input, context) => identity.sendPasswordReset(input, context),
    verifyResetCode: (input, context) => identity.verifyResetCode(input, context),
    confirmPasswordReset: async (input, context) => {
      const { email, device } = await identity.confirmPasswordReset(input, context);
      if (device) context.setDevice(device);
      return { email };
    },
    confirmEmail: (input, context) => identity.confirmEmail(input, context),
    sendEmailConfirmation: (_, { actor }) => identity.sendEmailConfirmation(actor),
    listSessions: (_, { actor }) => identity.listSessions(actor),
    endSession: async ({ sessionId }, { actor, ip }) => {
      await identity.endSession({ ...actor, ip }, sessionId);
      return null;
    },
    endOtherSessions: async (_, { actor, ip }) => {
      await identity.endOtherSessions({ ...actor, ip });
      return null;
    },
    getAccountSecurity: (_, { actor }) => identity.getAccountSecurity(actor),
    setSignInMails: ({ enabled }, { actor }) => identity.setSignInMails(actor, enabled),
    beginSecondFactor: (input, { actor }) => identity.secondFactor.begin(actor, input),
    confirmSecondFactor: (input, { actor, ip }) => identity.secondFactor.confirm({ ...actor, ip }, input),
    removeSecondFactor: async (input, { actor, ip }) => {
      await identity.secondFactor.remove({ ...actor, ip }, input?.id);
      return null;
    },
    renewRecoveryCodes: (_, { actor, ip }) => identity.secondFactor.renewRecoveryCodes({ ...actor, ip }),
    resetSecondFactor: ({ uid }, { actor, ip }) => identity.resetSecondFactor({ ...actor, ip }, uid),
    beginSingleSignOn: async ({ email }, context) => away(await sso.begin(email, context), context),
    confirmBySingleSignOn: async (_, context) => away(await sso.beginAs(context.actor, 'confirm', context), context),
    testSingleSignOn: async (_, context) => away(await sso.beginAs(context.actor, 'test', context), context),
    completeSingleSignOn: async ({ search }, context) => {
      // Of use once, however it ends.
      context.setAttempt(null);
      const { purpose, signedIn } = await sso.complete(search, context);
      return { purpose, session: signedIn && answer(signedIn, context) };
    },
    getSingleSignOn: (_, { actor, ip }) => sso.get({ ...actor, ip }),
    saveSingleSignOn: (input, { actor, ip }) => sso.save({ ...actor, ip }, input),
    removeSingleSignOn: (_, { actor, ip }) => sso.remove({ ...actor, ip }),
    setSingleSignOnRequired: ({ required }, { actor, ip }) => sso.setRequired({ ...actor, ip }, required),
    addDomain: ({ domain }, { actor, ip }) => sso.addDomain({ ...actor, ip }, domain),
    checkDomain: ({ domain }, { actor, ip }) => sso.checkDomain({ ...actor, ip }, domain),
    removeDomain: ({ domain }, { actor, ip }) => sso.removeDomain({ ...actor, ip }, domain),
    getSession: async (_, { actor }) => identity.getSession(actor),
    getSettings: async (_, { refreshToken, host }) => ({
      ...(await identity.getSettings(host)),
      hasSession: refreshToken !== undefined,
    }),
  } satisfies Partial<Handlers>;
}

function away({ url, attempt }: Begun, { setAttempt }: { setAttempt: (attempt: Begun['attempt']) => void }) {
  setAttempt(attempt);
  return { url };
}

interface Cookies {
  setRefreshToken: (token: SignedIn['refreshToken']) => void;
  setDevice: (mark: NonNullable<SignedIn['device']>) => void;
}

function answer({ session, refreshToken, device }: SignedIn, { setRefreshToken, setDevice }: Cookies) {
  setRefreshToken(refreshToken);
  if (device) setDevice(device);
  return session;
}
