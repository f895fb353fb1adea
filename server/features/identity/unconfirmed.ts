import { AppError } from '#contract/errors.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, exists, inArray, isNotNull, isNull, lte, ne, not, or, sql } from '#server/db/drizzle.ts';
import { companies, paymentCustomers, subscriptions, users } from '#server/db/schema.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { unconfirmedMs } from './confirmation.ts';
import { leavePeople, lockCompany } from './people.ts';

interface Deps {
  db: Database;
  jobs: Jobs;
  clock?: () => Date;
}

/** A subscription with which a company counts on us, paid for already or about to be. */
const counting = ['trialing', 'active', 'past_due', 'unpaid', 'paused'];

/** The job `end-unconfirmed`: accounts that nobody confirmed or paid for end after 7 days, each with its company. */
export async function endUnconfirmed({ db, jobs, clock = () => new Date() }: Deps): Promise<void> {
  const now = clock();
  const due = await db.asSystem((tx) =>
    tx
      .select({ companyId: users.companyId })
      .from(users)
      .where(and(isUnconfirmed, lte(users.createdAt, new Date(now.getTime() - unconfirmedMs)), not(hasPaid(tx)))),
  );
  for (const { companyId } of due) await db.asSystem((tx) => endCompanyOfUnconfirmed({ db, jobs }, tx, companyId));
}

/**
 * Before one is invited, and outside of any transaction of the company's, which sees its own people alone.
 * @throws AppError `email-not-invitable` for the e-mail of another company's, unless that is an account that nobody has
 *   confirmed or paid for. Such a one ends when the invited person comes in.
 */
export async function requireInvitable(db: Database, companyId: string, email: string): Promise<void> {
  await db.asSystem(async (tx) => {
    const elsewhere = and(eq(users.email, email), ne(users.companyId, companyId));
    const giveWay = and(isUnconfirmed, not(hasPaid(tx)));
    const [known] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(elsewhere, sql`not (${giveWay})`))
      .limit(1);
    if (known) throw new AppError('email-not-invitable');
  });
}

/**
 * Ends an unconfirmed account with its company, where nobody else is in it and nothing was ever paid.
 * @returns whether it has ended.
 */
export async function endCompanyOfUnconfirmed(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  tx: Tx,
  companyId: string,
): Promise<boolean> {
  // Looked at again under the lock: it may have been confirmed or paid for meanwhile.
  await lockCompany(tx, companyId);
  const people = await tx.select().from(users).where(eq(users.companyId, companyId)).for('update');
  const paid = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), hasPaid(tx)));
  const unconfirmed = people.length > 0 && people.every((user) => user.state === 'active' && !user.emailConfirmedAt);
  if (!unconfirmed || paid.length > 0) return false;
  await leavePeople(db, tx, people);
  // Its files and its search table are removed by a job, after the rows that nobody can see any more.
  const ofCompany = eq(paymentCustomers.companyId, companyId);
  const [customer] = await tx.select().from(paymentCustomers).where(ofCompany);
  await jobs.enqueue(tx, 'erase-company', { companyId, customerId: customer?.customerId });
  await jobs.enqueue(tx, 'clear-identities', {}, { singletonKey: 'all' });
  await tx.delete(companies).where(eq(companies.id, companyId));
  return true;
}

const isUnconfirmed = and(eq(users.state, 'active'), isNull(users.emailConfirmedAt));

function hasPaid(tx: Tx) {
  const { paidAt, grantedPlan, state } = subscriptions;
  const paid = or(isNotNull(paidAt), isNotNull(grantedPlan), inArray(state, counting));
  return exists(
    tx
      .select({ one: sql`1` })
      .from(subscriptions)
      .where(and(eq(subscriptions.companyId, users.companyId), paid)),
  );
}
