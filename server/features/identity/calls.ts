import type { Handlers } from '#server/http/handlers.ts';
import type { Identity, SignedIn } from './identity.ts';

export function identityCalls(identity: Identity) {
  return {
    signUp: async (input, context) => answer(await identity.signUp(input, context), context),
    signIn: async (input, context) => answer(await identity.signIn(input, context), context),
    refreshSession: async (_, context) => answer(await identity.refreshSession(context.refreshToken), context),
    signOut: async (_, { refreshToken, setRefreshToken, ip }) => {
      await identity.signOut(refreshToken, ip);
      setRefreshToken(null);
      return null;
    },
    reauthenticate: async ({ password }, context) =>
      answer(await identity.reauthenticate(context.actor, password, context), context),
    sendPasswordReset: (input, context) => identity.sendPasswordReset(input, context),
    verifyResetCode: (input, context) => identity.verifyResetCode(input, context),
    confirmPasswordReset: async (input, context) => {
      const { email, device } = await identity.confirmPasswordReset(input, context);
      context.setDevice(device);
      return { email };
    },
    getSession: async (_, { actor }) => identity.getSession(actor),
    getSettings: async () => identity.getSettings(),
  } satisfies Partial<Handlers>;
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
