import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { makePasskey } from '#web/lib/passkeys.ts';
import { call } from './call.ts';
import { queryClient, showChanged } from './query-client.ts';

/** Somewhere that the person is signed in. */
export type OpenSession = CallOutput<'listSessions'>[number];
/** How the person's account is protected. */
export type AccountSecurity = CallOutput<'getAccountSecurity'>;

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('listSessions', null, { signal }),
  // Sessions begin and end elsewhere.
  refetchOnWindowFocus: true,
  staleTime: 0,
});

export const accountSecurityQuery = queryOptions({
  queryKey: ['account-security'],
  queryFn: ({ signal }) => call('getAccountSecurity', null, { signal }),
});

/** Signs out of one session. One that has ended meanwhile is what was wanted. */
export const endSession = mutationOptions({
  mutationFn: async ({ sessionId }: OpenSession) => {
    await call('endSession', { sessionId }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'session-not-found') throw error;
    });
    await showChanged(sessionsQuery, (list) => list.filter((each) => each.sessionId !== sessionId));
  },
});

/** Signs out of all sessions but this one. */
export const endOtherSessions = mutationOptions({
  mutationFn: async () => {
    await call('endOtherSessions', null);
    await showChanged(sessionsQuery, (list) => list.filter(({ current }) => current));
  },
});

/** Whether the person is mailed about sign-ins from browsers that are not known. */
export const setSignInMails = mutationOptions({
  mutationFn: async (enabled: boolean) => keep(await call('setSignInMails', { enabled })),
});

async function keep(security: AccountSecurity): Promise<AccountSecurity> {
  await showChanged(accountSecurityQuery, security);
  return security;
}

/** Reads it again, after what may have changed it. */
export async function reloadAccountSecurity(): Promise<void> {
  await queryClient.invalidateQueries(accountSecurityQuery);
}

/** Begins to set up an authenticator app: what it is to be told. */
export const beginTotp = mutationOptions({
  mutationFn: async () => {
    const begun = await call('beginSecondFactor', { method: 'totp' });
    if (!('secret' in begun)) throw new AppError('internal');
    return begun;
  },
});

/** Puts the app into effect. Fails with `invalid-second-factor` or `too-many-requests`. */
export const confirmTotp = mutationOptions({ mutationFn: (code: string) => call('confirmSecondFactor', { code }) });

/** Has the browser make a passkey, and puts it into effect. Fails with `PasskeyRefused`, too. */
export const addPasskey = mutationOptions({
  mutationFn: async () => {
    const begun = await call('beginSecondFactor', { method: 'passkey' });
    if (!('options' in begun)) throw new AppError('internal');
    return call('confirmSecondFactor', { attestation: await makePasskey(begun.options) });
  },
});

export const removeSecondFactor = mutationOptions({ mutationFn: (id: string) => call('removeSecondFactor', { id }) });

/** Makes new recovery codes; those of before end. */
export const renewRecoveryCodes = mutationOptions({ mutationFn: () => call('renewRecoveryCodes', null) });
