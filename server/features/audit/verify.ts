import type { Database, Tx } from '#server/db/db.ts';
import { and, asc, eq, gt, isNull, sql } from '#server/db/drizzle.ts';
import { auditChains, auditEvents } from '#server/db/schema.ts';
import { type ChainedEvent, hashedColumns, hashOf } from './chain.ts';

/** What is not as it was written: an event that was changed, some that are gone, one that somebody has put in. */
export interface Finding {
  kind: 'changed' | 'removed' | 'inserted' | 'chain-missing' | 'other-head';
  /** Its place in the chain; absent where it has none. */
  sequence?: number;
  /** The last place of several in a row that are gone. */
  through?: number;
  /** Absent for what is gone. */
  eventId?: string;
  at?: string;
}

/** The end of a chain as somebody has noted it. */
export interface Head {
  sequence: number;
  /** In hex. */
  hash: string;
}

export interface Verified {
  /** Events in the chain, and the place of the oldest that is kept. */
  sealed: number;
  oldest: number;
  /** The end of the chain, to be noted elsewhere and given the next time. */
  head: Head;
  /** Events that have no place yet, of which nothing is known but that they are not too old to be new. */
  unsealed: number;
  findings: Finding[];
}

const rowsAtOnce = 2000;
/**
 * How much older than those before it an event may be: transactions end in another order than they begin, and the
 * clocks of several machines differ.
 */
const maxLateMs = 3_600_000;
/** A wrong password is written down by a job, which may have waited for as long as the service was stopped. */
const mayBeLate = 'sign-in-failed';

/**
 * Walks a company's chain of audit events from the oldest that is kept to its end, as it was at one moment.
 * @param noted an end of before: it tells a chain that was made anew as a whole
 */
export function verifyAudit(db: Database, companyId: string, noted?: Head): Promise<Verified> {
  return db.asSystem(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    const [chain] = await tx.select().from(auditChains).where(eq(auditChains.companyId, companyId));
    const walk = chain ? await walkChain(tx, chain, noted) : { sealed: 0, newest: 0, findings: [] };
    const { sealed, newest, findings } = walk;
    const ofCompany = eq(auditEvents.companyId, companyId);
    if (!chain) {
      const sealedBefore = and(ofCompany, sql`${auditEvents.sequence} is not null`);
      const found = await tx.select({ id: auditEvents.id }).from(auditEvents).where(sealedBefore).limit(1);
      if (found.length > 0) findings.push({ kind: 'chain-missing' });
    }
    const tail = await tx
      .select({ id: auditEvents.id, at: hashedColumns.at, action: auditEvents.action })
      .from(auditEvents)
      .where(and(ofCompany, isNull(auditEvents.sequence)))
      .orderBy(asc(auditEvents.at));
    for (const event of tail) {
      if (isLate(event, newest)) findings.push({ kind: 'inserted', eventId: event.id, at: event.at });
    }
    return {
      sealed,
      oldest: (chain?.removedThrough ?? 0) + 1,
      head: { sequence: chain?.sequence ?? 0, hash: chain?.hash.toString('hex') ?? '' },
      unsealed: tail.length,
      findings,
    };
  });
}

type Chain = typeof auditChains.$inferSelect;

async function walkChain(tx: Tx, chain: Chain, noted: Head | undefined) {
  const findings: Finding[] = [];
  /** Where the walk stands: the last event that was there, and its hash; null where that can't be known. */
  let place = chain.removedThrough;
  let hash: Buffer | null = chain.removedHash;
  let last: ChainedEvent | null = null;
  let newest = 0;
  let sealed = 0;
  const compareNoted = () => {
    if (noted?.sequence === place && hash?.toString('hex') !== noted.hash)
      findings.push({ kind: 'other-head', sequence: place });
  };
  compareNoted();
  for await (const event of eventsOf(tx, chain.companyId)) {
    const { sequence, previousHash, id: eventId, at } = event;
    // Before the beginning, or behind the end: whoever put it in did not know of them.
    if (sequence <= chain.removedThrough || sequence > chain.sequence) {
      findings.push({ kind: 'inserted', sequence, eventId, at });
      continue;
    }
    sealed += 1;
    if (sequence > place + 1) findings.push({ kind: 'removed', sequence: place + 1, through: sequence - 1 });
    else if (hash && !hash.equals(previousHash)) findings.push(changed(last ?? event));
    if (isLate(event, newest)) findings.push({ kind: 'inserted', sequence, eventId, at });
    newest = Math.max(newest, Date.parse(at));
    [place, hash, last] = [sequence, hashOf(event), event];
    compareNoted();
  }
  if (place < chain.sequence) findings.push({ kind: 'removed', sequence: place + 1, through: chain.sequence });
  else if (last && !hash.equals(chain.hash)) findings.push(changed(last));
  if (noted && noted.sequence > chain.sequence)
    findings.push({ kind: 'removed', sequence: chain.sequence + 1, through: noted.sequence });
  return { findings, newest, sealed };
}

async function* eventsOf(tx: Tx, companyId: string): AsyncGenerator<ChainedEvent> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await tx
      .select({ ...hashedColumns, sequence: auditEvents.sequence, previousHash: auditEvents.previousHash })
      .from(auditEvents)
      .where(and(eq(auditEvents.companyId, companyId), gt(auditEvents.sequence, after)))
      .orderBy(asc(auditEvents.sequence))
      .limit(rowsAtOnce);
    for (const { sequence, previousHash, ...row } of rows) {
      after = sequence ?? after;
      yield { ...row, sequence: after, previousHash: previousHash ?? Buffer.alloc(0) };
    }
    if (rows.length < rowsAtOnce) return;
  }
}

/** Its time says that it was there before others; but then it would have been sealed before them. */
function isLate({ at, action }: { at: string; action: string }, newest: number): boolean {
  return Date.parse(at) < newest - maxLateMs && action !== mayBeLate;
}

function changed({ sequence, id, at }: ChainedEvent): Finding {
  return { kind: 'changed', sequence, eventId: id, at };
}
