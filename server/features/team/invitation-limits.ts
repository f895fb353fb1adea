import { AppError } from '#contract/errors.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { accountKey } from '#server/features/identity/guesses.ts';

/** Invitations a day of a company that has not paid yet: mails to strangers must not be free. */
const maxPerDayUnpaid = 20;
/** Mails with an invitation that one address gets from one company in an hour; more would only annoy. */
const mailsPerHour = 10;

/** All invitations of a company are spent for the time being: whomever the next is for, it is refused as well. */
export class InvitationsSpent extends AppError {}

/** Counts one more mail with an invitation. @throws AppError `too-many-requests`; InvitationsSpent for the company's */
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
    await takeOfCompany(`invite:company:${companyId}`, config.rates.invitationsPerHour, 3600);
    await limits.take(`invite:to:${companyId}:${accountKey(email)}`, mailsPerHour, 3600);
    if (!(await db.asCompany(companyId, (tx) => hasPaid(tx, companyId)))) {
      const message = `Until the first payment, ${maxPerDayUnpaid} invitations a day can be sent.`;
      await takeOfCompany(`invite:unpaid:${companyId}`, maxPerDayUnpaid, 86_400, message);
    }
  };

  async function takeOfCompany(key: string, max: number, seconds: number, message?: string): Promise<void> {
    try {
      await limits.take(key, max, seconds);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too-many-requests') throw error;
      const { details } = error;
      throw new InvitationsSpent('too-many-requests', { details, ...(message !== undefined && { message }) });
    }
  }
}
