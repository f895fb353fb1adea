import { email as emailSchema } from '#contract/calls/team.ts';
import type { CallOutput } from '#contract/calls.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { type Role, requireFeature } from '#contract/permissions.ts';
import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import { lockCompany } from '#server/features/identity/people.ts';
import { requireInvitable } from '#server/features/identity/unconfirmed.ts';
import { createInvitationLimits, InvitationsSpent } from './invitation-limits.ts';
import type { InvitationsDeps } from './invite.ts';
import { createInvite, type Invitee } from './invite.ts';
import { createMailInvitation } from './mail-invitation.ts';

const notAnEmail = { message: messages.team.invalidEmail };

/** Whoever invites. */
export type Inviter = AuditActor & { entitlements: Entitlements };

/**
 * Invitations: sent, sent again, withdrawn. Whatever can take a seat runs under the company's lock, one after the
 * other.
 */
export function createInvitations(deps: InvitationsDeps) {
  const { db, people, clock = () => new Date() } = deps;
  const { inviteIn, reopen } = createInvite({ ...deps, clock });
  const count = createInvitationLimits(deps);

  return {
    /**
     * Invites a person; one who is already invited gets a fresh link, and keeps the seat unless it has expired.
     * @throws AppError `email-not-confirmed`, `already-in-team`, `email-not-invitable` (known in another company: that
     * is not said), `seats-used-up`,
     *   `feature-not-in-plan` for another role than member, `too-many-requests`.
     */
    async invite(by: Inviter, invitee: Invitee): Promise<{ message: string }> {
      requireRole(by, invitee.role);
      await prepare(by, invitee.email);
      await db.asCompany(by.companyId, (tx) => inviteIn(tx, by, invitee));
      return { message: sent(invitee.email) };
    },

    /**
     * Each one for itself; what is wrong with one stands in its message. An e-mail that comes twice is invited once.
     * Once the company's invitations are spent nobody further is tried.
     */
    async inviteMany(
      by: Inviter,
      { emails, role, signal }: { emails: string[]; role?: Role | undefined; signal: AbortSignal },
    ): Promise<CallOutput<'inviteUsers'>> {
      requireFeature(by.entitlements, 'invite');
      const results = new Map<string, CallOutput<'inviteUsers'>['results'][number]>();
      let spent: InvitationsSpent | null = null;
      for (const written of emails) {
        signal.throwIfAborted();
        const email = emailSchema.safeParse(written).data;
        const key = email ?? written;
        if (results.has(key)) continue;
        const refusal: Pick<AppError, 'message'> | null =
          email === undefined ? notAnEmail : (spent ?? (await refusalOf(by, { email, role })));
        if (refusal instanceof InvitationsSpent) spent = refusal;
        results.set(key, { email: key, invited: refusal === null, message: refusal?.message ?? sent(key) });
      }
      return { results: [...results.values()] };
    },

    /**
     * Mails a fresh link. One whose time is over needs a free seat to be opened again.
     * @throws AppError `user-not-found`, `not-invited`, `seats-used-up`, `too-many-requests`.
     */
    async resend(by: AuditActor, uid: string): Promise<{ message: string }> {
      const [known] = await db.asCompany(by.companyId, (tx) => tx.select().from(users).where(eq(users.id, uid)));
      if (!known) throw new AppError('user-not-found');
      if (known.state !== 'invited') throw new AppError('not-invited');
      await count(by, known.email);
      const { email } = await db.asCompany(by.companyId, async (tx) => {
        await requireConfirmed(tx, by);
        await lockCompany(tx, by.companyId);
        return reopen(tx, by, uid);
      });
      return { message: sent(email) };
    },

    /**
     * Takes an invitation back: its link is worth nothing from then on, and its seat is free.
     * @throws AppError `user-not-found`, `not-invited`.
     */
    async withdraw(by: AuditActor, uid: string): Promise<{ message: string }> {
      return db.asCompany(by.companyId, async (tx) => {
        // The lock also keeps it from being accepted in the same moment.
        await lockCompany(tx, by.companyId);
        const [known] = await tx.select({ state: users.state }).from(users).where(eq(users.id, uid));
        if (known && known.state !== 'invited') throw new AppError('not-invited');
        const { email } = await people.removeUser(tx, { companyId: by.companyId, uid });
        await audit(tx, { action: 'invitation-withdrawn', by, target: email });
        return { message: `Invitation for "${email}" withdrawn.` };
      });
    },

    mailInvitation: createMailInvitation(deps),
  };

  function requireRole(by: Inviter, role: Role | undefined): void {
    if (role !== undefined && role !== 'member') requireFeature(by.entitlements, 'team-management');
  }

  async function prepare(by: Inviter, email: string): Promise<void> {
    // First of all, or what is refused for it would use up the day's invitations.
    await db.asCompany(by.companyId, (tx) => requireConfirmed(tx, by));
    await count(by, email);
    await requireInvitable(db, by.companyId, email);
  }

  /** Under whose name strangers get mails has to be known: by an address that is theirs. */
  async function requireConfirmed(tx: Tx, { userId }: AuditActor): Promise<void> {
    const [inviter] = await tx.select().from(users).where(eq(users.id, userId));
    if (!inviter?.emailConfirmedAt) throw new AppError('email-not-confirmed');
  }

  async function refusalOf(by: Inviter, invitee: Invitee): Promise<AppError | null> {
    try {
      await prepare(by, invitee.email);
      await db.asCompany(by.companyId, (tx) => inviteIn(tx, by, invitee));
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }
}

function sent(email: string): string {
  return `Invitation sent to "${email}".`;
}
