import { AppError } from '#contract/errors.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { accountKey } from '#server/features/identity/guesses.ts';

/** Invitations a day of a company that has not paid yet: mails to strangers must not be free. */
const maxPerDayUnpaid = 20;
/** Mails with an invitation that one address gets from one company in an hour; more would only annoy. */
const mailsPerHour = 10;

/** Counts one more mail with an invitation. @throws AppError `too-many-requests` */
export function createInvitationLimits({
  db,
  limits,
  hasPaid,
  config,
}: {
  db: Database;
  limits: Limits;
  /** Whether the company has ever paid, or need not. */
  hasPaid: (tx: Tx, companyId: string) => Promise<boolean>;
  config: Pick<Config, 'rates'>;
}) {
  /** Before the transaction: counting takes another connection, and all of them may be waiting for the lock. */
  return async function count({ companyId }: { companyId: string }, email: string): Promise<void> {
    await limits.take(`invite:company:${companyId}`, config.rates.invitationsPerHour, 3600);
    await limits.take(`invite:to:${companyId}:${accountKey(email)}`, mailsPerHour, 3600);
    if (!(await db.asCompany(companyId, (tx) => hasPaid(tx, companyId)))) await countUnpaid(companyId);
  };

  async function countUnpaid(companyId: string): Promise<void> {
    try {
      await limits.take(`invite:unpaid:${companyId}`, maxPerDayUnpaid, 86_400);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too-many-requests') throw error;
      const message = `Until the first payment, ${maxPerDayUnpaid} invitations a day can be sent.`;
      throw new AppError('too-many-requests', { message, details: error.details });
    }
  }
}
