import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import { addressKey } from '#server/calls/limits.ts';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import type { createAdmission } from '../admission.ts';
import type { Origin } from '../guesses.ts';
import { factorsOf } from '../second-factor/proof.ts';
import type { createDevices } from '../sessions/devices.ts';
import { methodsOf } from '../sessions/session-records.ts';
import type { createSessions, SignedIn } from '../sessions/sessions.ts';
import type { createPasswordReset } from './password-reset.ts';

interface ChangePasswordDeps {
  db: Database;
  provider: IdentityProvider;
  devices: Pick<ReturnType<typeof createDevices>, 'idOf' | 'mark'>;
  passwordReset: Pick<ReturnType<typeof createPasswordReset>, 'confirmPasswordReset'>;
  proved: ReturnType<typeof createAdmission>['proved'];
  sessionOf: ReturnType<typeof createSessions>['sessionOf'];
}

export function createChangePassword(deps: ChangePasswordDeps) {
  const { db, provider, devices, passwordReset, proved, sessionOf } = deps;

  /**
   * Sets a new password with the one of now, by the same steps as a forgotten one. Every session of the person ends;
   * the answer is a new one. It asks for no second factor, and so proves none: for whoever has one the new session is
   * as old as the one before, and no browser gets a mark that it did not have.
   * @throws AppError `invalid-credentials`, `weak-password`, `too-many-requests`.
   */
  return async function changePassword(
    { companyId, userId, email, sessionId = '', authenticatedAt }: Actor,
    { currentPassword, newPassword }: ParsedInput<'changePassword'>,
    from: Origin,
  ): Promise<SignedIn> {
    const { uid, refreshToken } = await proved(email, currentPassword, from);
    await provider.endSession(refreshToken.value);
    const { user, methods, factors } = await db.asCompany(companyId, async (tx) => ({
      user: (await tx.select().from(users).where(eq(users.id, userId)))[0],
      methods: await methodsOf(tx, { companyId, userId, sessionId }),
      factors: await factorsOf(tx, userId),
    }));
    if (user?.providerUid !== uid) throw new AppError('invalid-credentials');
    const oobCode = await provider.createResetCode(email);
    if (oobCode === null) throw new AppError('unavailable');
    await passwordReset.confirmPasswordReset({ oobCode, newPassword }, from);
    const hasFactor = factors.length > 0;
    const isMarked = !hasFactor || devices.idOf(email, from.device) !== null;
    const device = isMarked ? devices.mark(email, from.device) : undefined;
    const grant = hasFactor
      ? await provider.signInAs(uid, authenticatedAt)
      : await provider.signIn(email, newPassword, addressKey(from.ip));
    // Whoever changes it has proved everything else when the session began.
    const signedIn = await sessionOf(grant, { ...from, device: device?.value, methods });
    if (!signedIn) throw new AppError('session-expired');
    return { ...signedIn, ...(device && { device }) };
  };
}
