import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, inArray, or, type SQL, sql } from '#server/db/drizzle.ts';
import {
  auditEvents,
  companies,
  documents,
  mails,
  outboxMails,
  queries,
  rateLimits,
  users,
} from '#server/db/schema.ts';
import { leavePeople, lockCompany } from '#server/features/identity/people.ts';
import { hashOfAddress } from '#server/features/mail/mail.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { JobData, JobRun } from '#server/jobs/registry.ts';

export interface ErasingDeps {
  db: Database;
  jobs: Jobs;
  /** What becomes of the company at the payment provider; null: nobody pays. */
  payment: {
    companyEnd: Record<'settleCharging' | 'forgetCustomer', (companyId: string) => Promise<void>>;
  } | null;
  /** Ends what is being uploaded, with its bytes. */
  eraseUploads: (companyId: string) => Promise<void>;
}

/** Rows erased by one transaction: a company may have millions. */
const atOnce = { documents: 50, rows: 5000 };
/** What was under way when the rows went is erased once more this long after. */
const againAfterSeconds = 3600;

/**
 * The job `end-company`: erases everything of a company whose time to take it back is over. Every step may be repeated,
 * and the company's own row goes last: as long as it is there, a process that ends is gone on with.
 */
export function createErasing({ db, jobs, payment, eraseUploads }: ErasingDeps, clock: () => Date) {
  return async function endCompany({ companyId }: JobData<'end-company'>, { signal }: JobRun): Promise<void> {
    if (!(await begin(companyId))) return;
    await payment?.companyEnd.forgetCustomer(companyId);
    await eraseUploads(companyId);
    // The large tables some rows at a time; what refers to these goes with them.
    const parts = [
      [documents, atOnce.documents],
      [queries, atOnce.rows],
      [auditEvents, atOnce.rows],
    ] as const;
    for (const [table, limit] of parts) {
      for (let left = true; left; ) {
        signal.throwIfAborted();
        left = await eraseSome(companyId, table, limit);
      }
    }
    await db.asSystem((tx) => eraseRest(tx, companyId));
  };

  /** @returns false where it was taken back, or is gone */
  function begin(companyId: string): Promise<boolean> {
    return db.asSystem(async (tx) => {
      await lockCompany(tx, companyId);
      const [company] = await tx.select().from(companies).where(eq(companies.id, companyId));
      if (!company?.endsAt || company.endsAt > clock()) return false;
      const erasingSince = company.erasingSince ?? clock();
      await tx.update(companies).set({ erasingSince }).where(eq(companies.id, companyId));
      return true;
    });
  }

  function eraseSome(companyId: string, table: Large, limit: number): Promise<boolean> {
    return db.asSystem(async (tx) => {
      // In the order in which others hold them, or the two could wait for each other.
      const some = await tx
        .select({ id: table.id })
        .from(table)
        .where(isOf(table, companyId))
        .orderBy(table.id)
        .limit(limit)
        .for('update');
      if (some.length === 0) return false;
      const ids = some.map(({ id }) => id);
      await tx.delete(table).where(and(isOf(table, companyId), inArray(table.id, ids)));
      return true;
    });
  }

  async function eraseRest(tx: Tx, companyId: string): Promise<void> {
    // What is still written for the company refers to its row, and is waited for before anything is held that it needs.
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('update');
    const people = await tx.select().from(users).where(eq(users.companyId, companyId));
    await leavePeople(db, tx, people);
    await eraseMails(
      tx,
      companyId,
      people.map(({ email }) => email),
    );
    for (const id of [companyId, ...people.map(({ id }) => id)])
      await tx.delete(rateLimits).where(sql`position(${id} in ${rateLimits.key}) > 0`);
    await eraseJobs(
      tx,
      companyId,
      people.map(({ email }) => email),
    );
    await tx.delete(companies).where(eq(companies.id, companyId));
    // What lies on the disk can be found by the company's id alone.
    await jobs.enqueue(tx, 'erase-company', { companyId });
    await jobs.enqueue(tx, 'erase-company', { companyId }, { startAfterSeconds: againAfterSeconds });
    await jobs.enqueue(tx, 'clear-identities', {}, { singletonKey: 'all' });
  }
}

type Large = typeof documents | typeof queries | typeof auditEvents;

function isOf(table: Large, companyId: string): SQL {
  return eq(table.companyId, companyId);
}

/** That they were sent, and those that wait; and where the outbox of development stands for the mail server, that. */
async function eraseMails(tx: Tx, companyId: string, emails: string[]): Promise<void> {
  const hashes = emails.map(hashOfAddress);
  await tx.delete(mails).where(or(eq(mails.companyId, companyId), inArray(mails.toHash, ['', ...hashes])));
  await tx.delete(outboxMails).where(inArray(outboxMails.toAddress, ['', ...emails]));
}

/** Jobs of the company that wait, and those that have ended, which are kept for a while. */
async function eraseJobs(tx: Tx, companyId: string, emails: string[]): Promise<void> {
  await tx.execute(sql`
    delete from pgboss.job where state <> 'active'
      and (data->>'companyId' = ${companyId} or data->>'email' = any(${sql.param(emails)}))`);
}
