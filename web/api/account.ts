import { mutationOptions } from '@tanstack/react-query';
import { authorised } from './authorised.ts';
import { call } from './call.ts';
import { confirmPassword } from './recent-sign-in.ts';
import { adoptGrant, oneAtATime, reloadSessionSoon } from './session.ts';
import { send } from './wire.ts';

/** Says what the person wants to be called; empty: by the e-mail. */
export const saveDisplayName = mutationOptions({
  mutationFn: async (displayName: string) => {
    await call('setDisplayName', { displayName });
    reloadSessionSoon();
  },
});

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/**
 * Changes the password; every other session of the person ends, and this browser goes on with a new one. Fails with
 * `invalid-credentials`, `weak-password` or `too-many-requests`.
 */
export const changePassword = mutationOptions({
  // Under the lock of refreshing: what is open learns at once that its session has ended, and waits here for the new
  // one.
  mutationFn: (change: PasswordChange) =>
    authorised((bearer) => oneAtATime(async () => adoptGrant(await send('changePassword', change, { bearer })))),
});

/**
 * Answers the question for the password. Fails with `invalid-credentials` (the question stays open) or
 * `too-many-requests`.
 */
export const answerPasswordRequest = mutationOptions({ mutationFn: confirmPassword });

/** Mails the link that confirms the person's address once more. */
export const sendEmailConfirmation = mutationOptions({ mutationFn: () => call('sendEmailConfirmation', null) });
