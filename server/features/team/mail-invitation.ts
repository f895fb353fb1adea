import { AppError } from '#contract/errors.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { nameInMail } from '#server/features/identity/company-name.ts';
import { ownMailedCodes } from '#server/features/identity/mailed-codes.ts';
import type { JobData } from '#server/jobs/registry.ts';
import type { InvitationsDeps } from './invite.ts';

type MailInvitationDeps = Pick<InvitationsDeps, 'db' | 'people' | 'sendMail' | 'config'>;

export function createMailInvitation({ db, people, sendMail, config }: MailInvitationDeps) {
  /** The job `mail-invitation`. An invitation that is no longer open is not mailed. */
  return async function mailInvitation({
    companyId,
    userId: uid,
    invitedBy,
  }: JobData<'mail-invitation'>): Promise<void> {
    await db.asSystem(async (tx) => {
      await ownMailedCodes(tx, uid);
      const invitation = await people.inviteCode({ companyId, uid }).catch((error: unknown) => {
        const isClosed = error instanceof AppError && ['user-not-found', 'not-invited'].includes(error.code);
        if (isClosed) return null;
        throw error;
      });
      if (!invitation) return;
      const [company] = await tx.select().from(companies).where(eq(companies.id, companyId));
      if (!company) return;
      const url = `${config.publicUrl}/login?oobCode=${encodeURIComponent(invitation.code)}`;
      const about = { company: nameInMail(company.name), inviter: invitedBy ?? null };
      await sendMail(tx, {
        to: invitation.email,
        companyId,
        words: (texts, name) => texts.invitation(name, url, about),
      });
    });
  };
}
