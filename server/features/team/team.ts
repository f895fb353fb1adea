import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import type { Role } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Tx } from '#server/db/db.ts';
import { and, asc, eq, isNotNull, ne } from '#server/db/drizzle.ts';
import { secondFactors, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { lockCompany } from '#server/features/identity/people.ts';
import { requireRecentSignIn } from '#server/features/identity/recent-sign-in.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import { createInvitations } from './invitations.ts';
import type { InvitationsDeps } from './invite.ts';

export type Team = ReturnType<typeof createTeam>;

/** Who does something to somebody. */
type By = Actor & { ip: string };

/** The people of a company: who they are, who may become one, who no longer is. */
export function createTeam(
  deps: InvitationsDeps & {
    /** To be called where somebody sees more or less of the documents from then on. */
    accessChanged: (tx: Tx, companyId: string) => Promise<void>;
  },
) {
  const { db, jobs, people, accessChanged, clock = () => new Date() } = deps;

  return {
    ...createInvitations(deps),

    /** Everyone in the company, by e-mail. When they were last here is a feature of the plan. */
    async list({ companyId, entitlements }: Actor): Promise<CallOutput<'listUsers'>> {
      const { found, having } = await db.asCompany(companyId, async (tx) => ({
        found: await tx.select().from(users).orderBy(asc(users.email)),
        having: await tx
          .select({ userId: secondFactors.userId })
          .from(secondFactors)
          .where(isNotNull(secondFactors.confirmedAt)),
      }));
      const withSecondFactor = new Set(having.map(({ userId }) => userId));
      const showsSignIns = entitlements.features.includes('team-management');
      const now = clock();
      return found.map((user) => ({
        uid: user.id,
        email: user.email,
        role: user.role,
        state: stateOf(user, now),
        invitedAt: user.invitedAt?.toISOString(),
        invitationExpiresAt: user.invitationExpiresAt?.toISOString(),
        ...(user.state === 'active' && { hasSecondFactor: withSecondFactor.has(user.id) }),
        ...(showsSignIns && { lastSignInAt: user.lastSignInAt?.toISOString() }),
      }));
    },

    /**
     * Removes a person, or an invitation. Their sessions, streams and links end when it commits.
     * @throws AppError `recent-sign-in-required`, `own-account`, `last-admin`, `user-not-found`.
     */
    async remove(by: By, uid: string): Promise<{ message: string }> {
      requireRecentSignIn(by);
      if (uid === by.userId) throw new AppError('own-account');
      await db.asCompany(by.companyId, async (tx) => {
        await lockCompany(tx, by.companyId);
        await requireOtherAdmin(tx, uid);
        const { email, role, state } = await people.removeUser(tx, { companyId: by.companyId, uid });
        await audit(tx, { action: 'person-removed', by, target: email });
        // Who never came in has not gone.
        const gone = state === 'active' ? [{ type: 'person.removed' as const, userId: uid, email, role }] : [];
        await tell(tx, jobs, by.companyId, gone);
      });
      return { message: messages.team.removed };
    },

    /**
     * Makes a person an admin or a member; tokens with the role of before are refused when it commits.
     * @throws AppError `recent-sign-in-required`, `last-admin`, `user-not-found`.
     */
    async setRole(by: By, uid: string, role: Role): Promise<{ message: string }> {
      requireRecentSignIn(by);
      const { companyId } = by;
      const email = await db.asCompany(companyId, async (tx) => {
        await lockCompany(tx, companyId);
        const [known] = await tx.select().from(users).where(eq(users.id, uid));
        if (!known) throw new AppError('user-not-found');
        if (known.role === role) return known.email;
        if (role !== 'admin') await requireOtherAdmin(tx, uid);
        await people.changeRole(tx, { companyId, uid }, role);
        await accessChanged(tx, companyId);
        await audit(tx, { action: 'role-changed', by, target: known.email, details: { from: known.role, to: role } });
        return known.email;
      });
      return { message: `"${email}" is now ${role === 'admin' ? 'an admin' : 'a member'}.` };
    },
  };
}

/** Under the company's lock, or two admins could at once take the role from each other. */
async function requireOtherAdmin(tx: Tx, uid: string): Promise<void> {
  const isAdmin = and(eq(users.role, 'admin'), eq(users.state, 'active'));
  const other = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isAdmin, ne(users.id, uid)))
    .limit(1);
  if (other.length > 0) return;
  const [last] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isAdmin, eq(users.id, uid)));
  if (last) throw new AppError('last-admin');
}

function stateOf(user: typeof users.$inferSelect, now: Date): CallOutput<'listUsers'>[number]['state'] {
  if (user.state === 'active') return 'active';
  return user.invitationExpiresAt && user.invitationExpiresAt > now ? 'invited' : 'expired';
}
