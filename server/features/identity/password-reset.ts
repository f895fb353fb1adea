import { and, eq, gt, type SQL } from 'drizzle-orm';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { companies, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { SendMail } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { endOfTokens, type IdentityProvider } from '#server/ports/identity/port.ts';
import { confirmAddress, ofEmailCode } from './confirmation.ts';
import type { createDevices, DeviceMark } from './devices.ts';
import { accountKey, type Origin } from './guesses.ts';
import { ownMailedCodes } from './mailed-codes.ts';
import { requireStrongPassword } from './password-policy.ts';
import { auditAccepted, createPeople, lockCompany } from './people.ts';
import { factorsOf } from './second-factor/proof.ts';
import { noteEnds } from './session-records.ts';
import { endCompanyOfUnconfirmed } from './unconfirmed.ts';

/** Mails of this kind that one account gets in an hour; more would only annoy its owner. */
const mailsPerHour = 5;

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
  const people = createPeople({ db, provider, jobs, clock });
  const countCode = ({ ip }: Origin) => limits.take(`code:${addressKey(ip)}`, config.rates.codesPerAddress, 900);

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
     * @returns with a mark for the browser: whoever reads the mails is the owner. Not of an account with a second factor,
     * which a mail does not prove.
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
        if (purpose === 'invite') return auditAccepted(tx, changed, { ip: from.ip, at });
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

  /**
   * Whose code it is. A code is worth nothing without the person's record, which knows of withdrawn and lapsed
   * invitations.
   */
  async function ofCode(code: string) {
    const waiting = await db.asSystem((tx) => ofEmailCode(tx, code, 'invite', clock()));
    if (waiting) return { ...(await openOne(eq(users.id, waiting.id), 'invite')), standsIn: true };
    const { uid, purpose } = await provider.verifyCode(code);
    return { ...(await openOne(eq(users.providerUid, uid), purpose)), standsIn: false };
  }

  /**
   * An invitation comes before an account that somebody has made with the address of another: the account ends, with
   * its company, as its owner comes in. @returns the provider's code, in place of the one that stood in for it.
   */
  async function makeWayFor({ id: uid, companyId, email }: typeof users.$inferSelect): Promise<string> {
    await db.asSystem(async (tx) => {
      const [other] = await tx
        .select()
        .from(users)
        .where(and(eq(users.email, email), eq(users.state, 'active')));
      if (other && !(await endCompanyOfUnconfirmed({ db, jobs }, tx, other.companyId)))
        throw new AppError('invalid-code');
    });
    return (await people.inviteCode({ companyId, uid })).code;
  }

  async function openOne(person: SQL, purpose: 'reset' | 'invite') {
    const [found] = await db.asSystem((tx) =>
      tx
        .select({ user: users, companyName: companies.name })
        .from(users)
        .innerJoin(companies, eq(companies.id, users.companyId))
        .where(and(person, stillOpen(purpose))),
    );
    if (!found) throw new AppError('invalid-code');
    return { ...found, purpose };
  }

  function stillOpen(purpose: 'reset' | 'invite') {
    if (purpose === 'reset') return eq(users.state, 'active');
    return and(eq(users.state, 'invited'), gt(users.invitationExpiresAt, clock()));
  }
}
