import { randomUUID } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNotNull } from '#server/db/drizzle.ts';
import { companyDomains, singleSignOnIdentities, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { tell } from '#server/features/webhooks/outbox.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { lockCompany } from '../people.ts';
import { domainOf } from './companies.ts';
import type { Claims } from './oidc.ts';

type User = typeof users.$inferSelect;

/** Who somebody is here whom a company's provider has let in. */
export function createSingleSignOnPeople(deps: {
  db: Database;
  jobs: Jobs;
  /** Under the company's lock. @throws AppError `seats-used-up` */
  requireSeat: (tx: Tx, companyId: string, now: Date) => Promise<void>;
  clock: () => Date;
}) {
  const { db, jobs, requireSeat, clock } = deps;

  /**
   * The person, by the provider's own name for them. Whoever comes the first time is known by the e-mail, which the
   * provider is believed in the company's own domains alone; somebody new joins as a member.
   * @param onlyUserId who it has to be, where somebody here has begun it: nobody else joins or is linked by that
   * @throws AppError `single-sign-on-unknown-person` with details.reason; `seats-used-up`
   */
  return async (
    { companyId, issuer }: { companyId: string; issuer: string },
    claims: Claims,
    { ip, onlyUserId }: { ip: string; onlyUserId: string | null },
  ): Promise<User> => {
    const isOther = (user: User | undefined) => onlyUserId !== null && user?.id !== onlyUserId;
    const linked = await db.asCompany(companyId, (tx) => linkedUser(tx, { issuer, subject: claims.subject }));
    if (linked?.state === 'active') {
      if (isOther(linked)) throw unknown('another-person');
      return linked;
    }
    const { email } = claims;
    if (email === null || !/^[^\s@]+@[^\s@]+$/.test(email)) throw unknown('no-email');
    if (!claims.emailVerified) throw unknown('email-not-verified');
    // Before anything is asked about the e-mail: of strangers a provider must not even learn that they are here.
    if (!(await db.asCompany(companyId, (tx) => isProved(tx, email)))) throw unknown('foreign-domain');
    // Before the company is entered, where others can't be seen. Who comes in between is met by the unique e-mail.
    const holders = await db.asSystem((tx) =>
      tx.select({ companyId: users.companyId }).from(users).where(eq(users.email, email)),
    );
    if (holders.some((holder) => holder.companyId !== companyId)) throw unknown('another-company');
    return db.asCompany(companyId, async (tx) => {
      await lockCompany(tx, companyId);
      if (!(await isProved(tx, email))) throw unknown('foreign-domain');
      const [known] = await tx.select().from(users).where(eq(users.email, email)).for('update');
      if (isOther(known)) throw unknown('another-person');
      const user = known?.state === 'active' ? known : await comesIn(tx, companyId, email, known, ip);
      const link = { companyId, issuer, subject: claims.subject, userId: user.id, createdAt: clock() };
      // Of somebody else at the provider, who had the e-mail before.
      const [made] = await tx.insert(singleSignOnIdentities).values(link).onConflictDoNothing().returning();
      if (!made && (await linkedUser(tx, link))?.id !== user.id) throw unknown('another-person');
      const by = { companyId, userId: user.id, email, ip };
      if (made) await audit(tx, { action: 'person-linked', by, at: clock(), via: 'single-sign-on' });
      return user;
    });
  };

  /** Accepts an invitation, or joins without one. */
  async function comesIn(
    tx: Tx,
    companyId: string,
    email: string,
    invited: User | undefined,
    ip: string,
  ): Promise<User> {
    const now = clock();
    const holdsSeat = invited?.invitationExpiresAt != null && invited.invitationExpiresAt > now;
    if (!holdsSeat) await requireSeat(tx, companyId, now);
    const tokensValidSince = new Date(Math.floor(now.getTime() / 1000) * 1000);
    // Nobody has earlier tokens to refuse, so the first one need not wait for the next second.
    const active = { state: 'active', emailConfirmedAt: now, invitationExpiresAt: null, tokensValidSince } as const;
    const [user] = invited
      ? await tx.update(users).set(active).where(eq(users.id, invited.id)).returning()
      : await tx
          .insert(users)
          .values({ companyId, id: randomUUID(), email, role: 'member', claimsDue: true, ...active })
          .onConflictDoNothing()
          .returning();
    if (!user) throw unknown('another-company');
    const action = invited ? 'invitation-accepted' : 'person-joined';
    await audit(tx, { action, by: { companyId, userId: user.id, email, ip }, at: now, via: 'single-sign-on' });
    await tell(tx, jobs, companyId, [{ type: 'person.joined', userId: user.id, email, role: user.role }]);
    return user;
  }
}

/** Whether the company has shown that the e-mail's domain is its own. */
async function isProved(tx: Tx, email: string): Promise<boolean> {
  return (
    (await tx.$count(
      companyDomains,
      and(eq(companyDomains.domain, domainOf(email)), isNotNull(companyDomains.verifiedAt)),
    )) > 0
  );
}

async function linkedUser(tx: Tx, { issuer, subject }: { issuer: string; subject: string }): Promise<User | undefined> {
  const [row] = await tx
    .select({ user: users })
    .from(singleSignOnIdentities)
    .innerJoin(
      users,
      and(eq(users.companyId, singleSignOnIdentities.companyId), eq(users.id, singleSignOnIdentities.userId)),
    )
    .where(and(eq(singleSignOnIdentities.issuer, issuer), eq(singleSignOnIdentities.subject, subject)));
  return row?.user;
}

/** One text for all: the reason is for the company's admin, in a test and in the log. */
function unknown(reason: string): AppError {
  return new AppError('single-sign-on-unknown-person', { details: { reason } });
}
