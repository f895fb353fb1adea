import type { CallOutput } from '#contract/calls.ts';
import { send } from './wire.ts';

/** Whose password a mailed link sets, and whether the link is an invitation. */
export type ResetCode = CallOutput<'verifyResetCode'>;

// Nobody need be signed in for these, and nothing is tried again behind the form: the person sees what happened, and
// decides.

/**
 * Mails a link that sets a new password, if the e-mail is known. @throws AppError `too-many-requests`, `unavailable`
 */
export async function sendPasswordReset(email: string): Promise<void> {
  await send('sendPasswordReset', { email }, { bearer: null });
}

/** @throws AppError `invalid-code` */
export function verifyResetCode(oobCode: string): Promise<ResetCode> {
  return send('verifyResetCode', { oobCode }, { bearer: null });
}

/**
 * Sets a password, and what an invited person wants to be called.
 * @returns whose password it is now.  @throws AppError `invalid-code`, `weak-password`
 */
export async function confirmPasswordReset(
  oobCode: string,
  { newPassword, displayName }: { newPassword: string; displayName: string },
): Promise<string> {
  const input = { oobCode, newPassword, ...(displayName.trim() === '' ? {} : { displayName }) };
  const { email } = await send('confirmPasswordReset', input, { bearer: null });
  return email;
}

/** @throws AppError `invalid-confirmation-code` */
export async function confirmEmail(code: string): Promise<void> {
  await send('confirmEmail', { code }, { bearer: null });
}
