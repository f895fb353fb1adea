import { authorised } from './authorised.ts';
import { call } from './call.ts';
import { adoptGrant, oneAtATime, reloadSession } from './session.ts';
import { send } from './wire.ts';

/** Says what the person wants to be called; empty: by the e-mail. @throws AppError as every call */
export async function saveDisplayName(displayName: string): Promise<void> {
  await call('setDisplayName', { displayName });
  await reloadSession();
}

/**
 * Changes the password; every other session of the person ends, and this browser goes on with a new one.
 * @throws AppError `invalid-credentials`, `weak-password`, `too-many-requests`
 */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  // Under the lock of refreshing: what is open learns at once that its session has ended, and waits here for the new one.
  await authorised((bearer) =>
    oneAtATime(async () => adoptGrant(await send('changePassword', { currentPassword, newPassword }, { bearer }))),
  );
}
