import type { Logger } from 'pino';
import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, gte, isNull, lt, sql } from '#server/db/drizzle.ts';
import { auditChains, auditEvents, companies } from '#server/db/schema.ts';
import { eachByItself } from '#server/jobs/each-by-itself.ts';
import { beginning, hashedColumns, hashOf } from './chain.ts';

/** Events that get their place in one transaction. */
const maxAtOnce = 1000;

/**
 * The job `seal-audit`: gives every event that has none yet its place in its company's chain. Writers only add events,
 * so that a question never waits for another's hash; that an event is sealed a minute later is the price.
 */
export async function sealAudit(db: Database, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  const due = await db.statement<{ id: string }>(sql`
    select ${companies.id} from ${companies} where exists (
      select 1 from ${auditEvents} where ${auditEvents.companyId} = ${companies.id} and ${auditEvents.sequence} is null)`);
  await eachByItself(due, ({ id }) => sealCompany(db, id, signal), signal);
}

async function sealCompany(db: Database, companyId: string, signal?: AbortSignal): Promise<void> {
  for (let done = false; !done; ) {
    signal?.throwIfAborted();
    done = await db.asSystem((tx) => sealSome(tx, companyId));
  }
}

/** @returns whether all is sealed */
async function sealSome(tx: Tx, companyId: string): Promise<boolean> {
  const chain = await holdChain(tx, companyId);
  if (!chain) return true;
  const unsealed = await tx
    .select(hashedColumns)
    .from(auditEvents)
    .where(and(eq(auditEvents.companyId, companyId), isNull(auditEvents.sequence)))
    .orderBy(asc(auditEvents.at), asc(auditEvents.id))
    .limit(maxAtOnce);
  let { sequence, hash } = chain;
  const sealed = unsealed.map((event) => {
    sequence += 1;
    const previousHash = hash;
    hash = hashOf({ ...event, sequence, previousHash });
    return { id: event.id, sequence, previousHash };
  });
  if (sealed.length === 0) return true;
  await tx.execute(sql`
    update ${auditEvents} set sequence = sealed.sequence, previous_hash = sealed.previous_hash
    from unnest(${sql.param(sealed.map(({ id }) => id))}::uuid[], ${sql.param(sealed.map((each) => each.sequence))}::bigint[],
      ${sql.param(sealed.map(({ previousHash }) => previousHash))}::bytea[]) as sealed (id, sequence, previous_hash)
    where ${auditEvents.companyId} = ${companyId} and ${auditEvents.id} = sealed.id`);
  await tx.update(auditChains).set({ sequence, hash }).where(eq(auditChains.companyId, companyId));
  return sealed.length < maxAtOnce;
}

/**
 * The company's chain, until the transaction ends nobody else's to make longer or shorter; null for a company that has
 * ended. The company is held first: its deletion takes the events before the chain, and would wait for us as we for it.
 */
async function holdChain(tx: Tx, companyId: string): Promise<typeof auditChains.$inferSelect | null> {
  const [company] = await tx
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('key share');
  if (!company) return null;
  const read = () => tx.select().from(auditChains).where(eq(auditChains.companyId, companyId)).for('update');
  const [chain] = await read();
  if (chain) return chain;
  const none = { companyId, sequence: 0, hash: beginning, removedThrough: 0, removedHash: beginning };
  await tx.insert(auditChains).values(none).onConflictDoNothing();
  return (await read())[0] ?? null;
}

/**
 * The job `clear-audit`: removes what is older than the log goes back, from the old end of each chain alone, and keeps
 * where that end is now. Says in the service's own log how far each chain goes: a copy that lies elsewhere, and that
 * whoever changes the database would have to change, too.
 */
export async function clearAudit(
  db: Database,
  { days, log, signal, now = new Date() }: { days: number; log?: Logger; signal?: AbortSignal; now?: Date },
): Promise<void> {
  await sealAudit(db, signal ? { signal } : {});
  const oldest = new Date(now.getTime() - days * 86_400_000);
  const chains = await db.asSystem((tx) => tx.select().from(auditChains));
  const clear = async ({ companyId }: { companyId: string }) => {
    await db.asSystem((tx) => clearCompany(tx, companyId, oldest));
  };
  await eachByItself(chains, clear, signal);
  for (const { companyId, sequence, hash } of chains)
    log?.info({ companyId, sequence, hash: hash.toString('hex') }, 'the audit log is sealed up to here');
}

async function clearCompany(tx: Tx, companyId: string, oldest: Date): Promise<void> {
  const ofCompany = eq(auditEvents.companyId, companyId);
  const [old] = await tx
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(and(ofCompany, lt(auditEvents.at, oldest)))
    .limit(1);
  if (!old) return;
  const chain = await holdChain(tx, companyId);
  if (!chain) return;
  // What is old enough, up to the first that is not: a hole would look as if somebody had removed something.
  const [kept] = await tx
    .select({ sequence: auditEvents.sequence, previousHash: auditEvents.previousHash })
    .from(auditEvents)
    .where(and(ofCompany, gte(auditEvents.at, oldest), sql`${auditEvents.sequence} is not null`))
    .orderBy(asc(auditEvents.sequence))
    .limit(1);
  const removedThrough = (kept?.sequence ?? chain.sequence + 1) - 1;
  const removedHash = kept?.previousHash ?? chain.hash;
  await tx.delete(auditEvents).where(and(ofCompany, sql`${auditEvents.sequence} <= ${removedThrough}`));
  await tx.update(auditChains).set({ removedThrough, removedHash }).where(eq(auditChains.companyId, companyId));
}
