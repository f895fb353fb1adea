import type { Handlers } from '#server/http/handlers.ts';
import type { Identity } from './identity.ts';

type Names = 'signUp' | 'signIn' | 'refreshSession' | 'signOut' | 'getSession' | 'getSettings';

export function identityCalls(identity: Identity): Pick<Handlers, Names> {
  return {
    signUp: async (input, { ip, setRefreshToken }) => {
      const { session, refreshToken } = await identity.signUp(input, ip);
      setRefreshToken(refreshToken);
      return session;
    },
    signIn: async (input, { ip, setRefreshToken }) => {
      const { session, refreshToken } = await identity.signIn(input, ip);
      setRefreshToken(refreshToken);
      return session;
    },
    refreshSession: async (_input, context) => {
      const { session, refreshToken } = await identity.refreshSession(context.refreshToken);
      context.setRefreshToken(refreshToken);
      return session;
    },
    signOut: async (_input, context) => {
      await identity.signOut(context.refreshToken);
      context.setRefreshToken(null);
      return null;
    },
    getSession: async (_input, { actor }) => identity.getSession(actor),
    getSettings: async () => identity.getSettings(),
  };
}
