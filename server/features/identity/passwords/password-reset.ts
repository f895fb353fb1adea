import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { endOfTokens, type IdentityProvider } from '#server/ports/identity/port.ts';
import { confirmAddress } from '../confirmation.ts';
import type { Origin } from '../guesses.ts';
import { lockCompany, noteAccepted } from '../people.ts';
import { factorsOf } from '../second-factor/proof.ts';
import type { createDevices, DeviceMark } from '../sessions/devices.ts';
import { noteEnds } from '../sessions/session-records.ts';
import { requireStrongPassword } from './password-policy.ts';
import { createResetCodes } from './reset-codes.ts';
import { createResetMails } from './reset-mails.ts';

/** Forgotten passwords, and the links of reset and invitation mails. */
export function createPasswordReset(deps: {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'rates'>;
  devices: ReturnType<typeof createDevices>;
  sendMail: SendMail;
  clock: () => Date;
}) {
  const { db, provider, jobs, limits, config, devices, sendMail, clock } = deps;
  const { ofCode, makeWayFor, stillOpen } = createResetCodes(deps);
  const countCode = ({ ip }: Origin) => limits.take(`code:${addressKey(ip)}`, config.rates.codesPerAddress, 900);

  return {
    ...createResetMails(deps),

    /** @throws AppError `invalid-code`, `too-many-requests`. */
    async verifyResetCode(
      { oobCode }: ParsedInput<'verifyResetCode'>,
      from: Origin,
    ): Promise<CallOutput<'verifyResetCode'>> {
      await countCode(from);
      const { user, purpose } = await ofCode(oobCode);
      return { email: user.email, purpose };
    },

    /**
     * Sets the password; who was invited is active from then on. All sessions and tokens of before end.
     * @returns with a mark for the browser: whoever reads the mails is the owner. Not of an account with a second
     * factor, which a mail does not prove.
     * @throws AppError `invalid-code`, `weak-password`, `too-many-requests`.
     */
    async confirmPasswordReset(
      { oobCode, newPassword, displayName }: ParsedInput<'confirmPasswordReset'>,
      from: Origin,
    ): Promise<{ email: string; device?: DeviceMark }> {
      await countCode(from);
      const { user, purpose, companyName, standsIn } = await ofCode(oobCode);
      const { email } = user;
      requireStrongPassword(newPassword, { email, companyName });
      const code = standsIn ? await makeWayFor(user) : oobCode;
      const { uid } = await provider.confirmCode(code, newPassword, addressKey(from.ip));
      await db.asSystem(async (tx) => {
        // With the seat that it holds an invitation becomes a person; one that ends meanwhile may have lost it to
        // another.
        if (purpose === 'invite') await lockCompany(tx, user.companyId);
        const ofPerson = and(eq(users.id, user.id), eq(users.providerUid, uid), stillOpen(purpose));
        const at = clock();
        const changes = {
          state: 'active',
          tokensValidSince: endOfTokens(at),
          invitationExpiresAt: null,
          // Whoever reads the invitation has the address.
          ...(purpose === 'invite' && { emailConfirmedAt: at }),
          ...(displayName && { displayName }),
        } as const;
        const [changed] = await tx.update(users).set(changes).where(ofPerson).returning();
        if (!changed) throw new AppError('invalid-code');
        await noteEnds(tx, { companyId: user.companyId, userId: user.id, at });
        await db.notify(tx, 'people', { userId: user.id });
        if (purpose === 'invite') return noteAccepted(tx, jobs, changed, { ip: from.ip, at });
        const by = { companyId: user.companyId, userId: user.id, email, ip: from.ip };
        await confirmAddress(tx, changed, { ip: from.ip, at });
        await audit(tx, { action: 'password-changed', by, at, via: 'mailed-link' });
        const url = `${config.publicUrl}/login`;
        await sendMail(tx, {
          to: email,
          companyId: user.companyId,
          words: (texts, name) => texts.passwordChanged(name, url),
        });
      });
      // Once more than the code itself did: a session that began between the two ends, too, and new tokens are dated
      // after both.
      await provider.revoke(uid);
      const factors = await db.asSystem((tx) => factorsOf(tx, user.id));
      return factors.length > 0 ? { email } : { email, device: devices.mark(email, from.device) };
    },
  };
}
