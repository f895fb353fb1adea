import type { ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { accountKey, type Origin } from '../guesses.ts';
import { ownMailedCodes } from '../mailed-codes.ts';

/** Mails of this kind that one account gets in an hour; more would only annoy its owner. */
const mailsPerHour = 5;

interface ResetMailsDeps {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'rates'>;
  sendMail: SendMail;
  clock: () => Date;
}

/** Asking for a new password, and the mails that answer. */
export function createResetMails({ db, provider, jobs, limits, config, sendMail, clock }: ResetMailsDeps) {
  return {
    /**
     * Does the same for every e-mail: whether it is known is looked up by the job that mails.
     * @throws AppError `too-many-requests`.
     */
    async sendPasswordReset({ email }: ParsedInput<'sendPasswordReset'>, { ip }: Origin): Promise<null> {
      await limits.take(`reset:address:${addressKey(ip)}`, config.rates.resetsPerHour, 3600);
      try {
        await limits.take(`reset:account:${accountKey(email)}`, mailsPerHour, 3600);
      } catch (error) {
        // Said aloud, it would let anyone keep an account's owner from asking; the mails sent already do.
        if (error instanceof AppError && error.code === 'too-many-requests') return null;
        throw error;
      }
      await db.asSystem((tx) => jobs.enqueue(tx, 'mail-password-reset', { email, ip }));
      return null;
    },

    /** The job `mail-password-reset`. Who is invited, and so has no password yet, gets the invitation's link anew. */
    async mailPasswordReset({ email, ip }: { email: string; ip?: string | undefined }): Promise<void> {
      const [user] = await db.asSystem((tx) => tx.select().from(users).where(eq(users.email, email)));
      if (user?.state === 'invited') return mailInvited(user, ip);
      if (!user) return;
      await db.asSystem(async (tx) => {
        await ownMailedCodes(tx, user.id);
        const code = await provider.createResetCode(user.email);
        if (!code) return;
        const url = `${config.publicUrl}/login?oobCode=${encodeURIComponent(code)}`;
        const by = { companyId: user.companyId, ip };
        await audit(tx, { action: 'password-reset-asked', by, target: user.email, at: clock() });
        const { email: to, companyId } = user;
        await sendMail(tx, { to, companyId, words: (texts, name) => texts.resetPassword(name, url) });
      });
    },
  };

  async function mailInvited(user: typeof users.$inferSelect, ip: string | undefined): Promise<void> {
    const { companyId, id: userId, email: to } = user;
    await db.asSystem(async (tx) => {
      if (user.invitationExpiresAt && user.invitationExpiresAt > clock()) {
        const details = { role: user.role, again: true, askedByInvited: true };
        await audit(tx, { action: 'invitation-sent', by: { companyId, ip }, target: to, details, at: clock() });
        return jobs.enqueue(tx, 'mail-invitation', { companyId, userId });
      }
      // Its seat may be another's by now, so that only an admin can open it again.
      const url = `${config.publicUrl}/login`;
      await sendMail(tx, { to, companyId, words: (texts, name) => texts.invitationExpired(name, url) });
    });
  }
}
