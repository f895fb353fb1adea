import { randomUUID } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import type { Role } from '#contract/permissions.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, gt } from '#server/db/drizzle.ts';
import { companies, emailCodes, identityLeftovers, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { endOfTokens, type IdentityProvider } from '#server/ports/identity/port.ts';
import { makeEmailCode, removeEmailCodes } from './confirmation.ts';
import { createProviderAccount, isPerson, type PersonKey } from './provider-account.ts';

/** How long an invitation holds its seat, and its code works. */
export const invitationMs = 7 * 86_400_000;

export interface PeopleDeps {
  db: Database;
  provider: IdentityProvider;
  jobs: Jobs;
  clock?: () => Date;
}

export type People = ReturnType<typeof createPeople>;

/**
 * What the team does to people. Whatever takes a transaction only writes our own records in it (it may be one of
 * `asCompany`), and takes effect when that commits; the identity provider is told by jobs, which try until it is done.
 */
export function createPeople({ db, provider, jobs, clock = () => new Date() }: PeopleDeps) {
  const knownToProvider = createProviderAccount({ db, provider, clock });
  return {
    /**
     * Makes a person who is invited; counts as a seat from the commit on, until `invitationExpiresAt`.
     * @param person.email lower case.
     * @throws AppError `email-not-invitable` when the e-mail is invited already, here or elsewhere. Other companies'
     * accounts
     *   can't be seen here: that is for `requireInvitable`, before.
     */
    async createInvitedUser(
      tx: Tx,
      { companyId, email, role }: { companyId: string; email: string; role: Role },
    ): Promise<{ uid: string; invitationExpiresAt: Date }> {
      const now = clock();
      const invitationExpiresAt = new Date(now.getTime() + invitationMs);
      const [made] = await tx
        .insert(users)
        .values({ companyId, id: randomUUID(), email, role, state: 'invited', invitedAt: now, invitationExpiresAt })
        .onConflictDoNothing()
        .returning({ uid: users.id });
      if (!made) throw new AppError('email-not-invitable');
      return { uid: made.uid, invitationExpiresAt };
    },

    /**
     * Starts the 7 days again, for a fresh link.
     * @throws AppError `user-not-found`, `not-invited`.
     */
    async renewInvitation(tx: Tx, person: PersonKey): Promise<{ email: string; invitationExpiresAt: Date }> {
      const { email } = await invited(tx, person);
      const now = clock();
      const invitationExpiresAt = new Date(now.getTime() + invitationMs);
      await tx.update(users).set({ invitedAt: now, invitationExpiresAt }).where(isPerson(person));
      return { email, invitationExpiresAt };
    },

    /**
     * The code for the mailed link (`<PUBLIC_URL>/login?oobCode=…`); earlier ones end. Makes the person known to the
     * provider first. Reaches the provider, so it belongs into a job, outside of any transaction; may be repeated.
     * @throws AppError `user-not-found` or `not-invited` when there is nothing to mail any more; `unavailable`.
     */
    async inviteCode(person: PersonKey): Promise<{ code: string; email: string }> {
      const { user, standIn } = await db.asSystem(async (tx) => {
        const found = await invited(tx, person);
        const { invitationExpiresAt: until } = found;
        if (!until || until <= clock()) throw new AppError('not-invited');
        return { user: found, standIn: await standInCode(tx, found, until) };
      });
      const { email } = user;
      if (standIn !== null) return { code: standIn, email };
      const providerUid = await knownToProvider(user);
      const { code, expiresAt } = await provider.createInviteCode(providerUid);
      // Only ever earlier: made later, the invitation would come back to a seat that may be another's by now.
      const sooner = and(isPerson(person), gt(users.invitationExpiresAt, expiresAt));
      await db.asSystem((tx) => tx.update(users).set({ invitationExpiresAt: expiresAt }).where(sooner));
      return { code, email };
    },

    /**
     * Removes a person or an invitation. From the commit on every token, stream, link of theirs is refused.
     * @throws AppError `user-not-found`.
     */
    async removeUser(tx: Tx, person: PersonKey): Promise<Pick<typeof users.$inferSelect, 'email' | 'role' | 'state'>> {
      const [gone] = await tx.delete(users).where(isPerson(person)).returning();
      if (!gone) throw new AppError('user-not-found');
      // An invitation whose job has not run yet is not known to the provider, or only by the id that it was to have.
      const leftover = { companyId: person.companyId, uid: gone.providerUid ?? gone.id, dueAt: clock() };
      await tx.insert(identityLeftovers).values(leftover).onConflictDoNothing();
      await jobs.enqueue(tx, 'clear-identities', {}, { singletonKey: 'all' });
      await accessEnds(tx, person);
      return gone;
    },

    /**
     * Gives a person another role. From the commit on every earlier token is refused, and new ones carry the role.
     * @throws AppError `user-not-found`.
     */
    async changeRole(tx: Tx, person: PersonKey, role: Role): Promise<void> {
      const changes = { role, tokensValidSince: endOfTokens(clock()), claimsDue: true };
      const [changed] = await tx.update(users).set(changes).where(isPerson(person)).returning({ id: users.id });
      if (!changed) throw new AppError('user-not-found');
      await jobs.enqueue(tx, 'settle-claims', { companyId: person.companyId, userId: person.uid });
      await accessEnds(tx, person);
    },
  };

  /**
   * While an unconfirmed account of another company has the e-mail, the provider has no room for one of this
   * invitation.
   */
  async function standInCode(
    tx: Tx,
    { companyId, id: userId, email }: typeof users.$inferSelect,
    until: Date,
  ): Promise<string | null> {
    const [holder] = await tx
      .select()
      .from(users)
      .where(and(eq(users.email, email), eq(users.state, 'active')));
    await removeEmailCodes(tx, and(eq(emailCodes.companyId, companyId), eq(emailCodes.userId, userId)));
    return holder ? makeEmailCode(tx, { companyId, userId }, 'invite', until) : null;
  }

  /** Ends what the person has open: streams, running uploads. */
  function accessEnds(tx: Tx, { uid }: PersonKey): Promise<void> {
    return db.notify(tx, 'people', { userId: uid });
  }
}

/** Of a company that ends: their accounts at the provider are removed by a job, and what they have open is ended. */
export async function leavePeople(
  db: Pick<Database, 'notify'>,
  tx: Tx,
  people: readonly Pick<typeof users.$inferSelect, 'companyId' | 'id' | 'providerUid'>[],
): Promise<void> {
  for (const { companyId, id, providerUid } of people) {
    const leftover = { companyId, uid: providerUid ?? id, dueAt: new Date(0) };
    await tx.insert(identityLeftovers).values(leftover).onConflictDoNothing();
    await db.notify(tx, 'people', { userId: id });
  }
}

/** Writes down that an invited person has come in, and tells of it. */
export async function noteAccepted(
  tx: Tx,
  jobs: Jobs,
  { companyId, id: userId, email, role }: typeof users.$inferSelect,
  { ip, at }: { ip?: string; at: Date },
): Promise<void> {
  await audit(tx, { action: 'invitation-accepted', by: { companyId, userId, email, ip }, at, via: 'mailed-link' });
  await tell(tx, jobs, companyId, [{ type: 'person.joined', userId, email, role }]);
}

/**
 * Lets what gives or takes seats and admins in a company wait for its turn, until the transaction ends. What only
 * refers to the company does not wait.
 */
export async function lockCompany(tx: Tx, companyId: string): Promise<void> {
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

async function invited(tx: Tx, person: PersonKey): Promise<typeof users.$inferSelect> {
  const [user] = await tx.select().from(users).where(isPerson(person)).for('update');
  if (!user) throw new AppError('user-not-found');
  if (user.state !== 'invited') throw new AppError('not-invited');
  return user;
}
