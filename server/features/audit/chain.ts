import { createHash } from 'node:crypto';
import { sql } from '#server/db/drizzle.ts';
import { auditEvents } from '#server/db/schema.ts';

/** An event as its hash is made of it. */
export interface ChainedEvent {
  companyId: string;
  sequence: number;
  /** SHA-256 of the event before it; 32 zero bytes before the first. */
  previousHash: Buffer;
  id: string;
  /** UTC to the microsecond, as PostgreSQL keeps it. */
  at: string;
  actorId: string | null;
  actorEmail: string | null;
  action: string;
  target: string | null;
  details: unknown;
  ip: string | null;
  via: string | null;
}

/** What is read of each event to hash it, beside its place. */
export const hashedColumns = {
  companyId: auditEvents.companyId,
  id: auditEvents.id,
  // A date of JavaScript knows milliseconds alone: a change of less would go unnoticed.
  at: sql<string>`to_char(${auditEvents.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  actorId: auditEvents.actorId,
  actorEmail: auditEvents.actorEmail,
  action: auditEvents.action,
  target: auditEvents.target,
  details: auditEvents.details,
  ip: auditEvents.ip,
  via: auditEvents.via,
};

/** What the first event of a company carries as the hash of the one before. */
export const beginning = Buffer.alloc(32);

/**
 * SHA-256 over the canonical form of an event: a JSON array of its values without blanks, in which the keys of objects
 * are in the order of their UTF-16 code units. docs/architecture/people.md says it for others who want to check a
 * chain.
 */
export function hashOf(event: ChainedEvent): Buffer {
  const { companyId, sequence, previousHash, id, at, actorId, actorEmail, action, target, details, ip, via } = event;
  const values = [companyId, sequence, previousHash.toString('hex'), id, at, actorId, actorEmail, action, target];
  return createHash('sha256')
    .update(JSON.stringify([...values, inOrder(details), ip, via]))
    .digest();
}

/** The same value with the keys of its objects in order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // A key that is a whole number comes first in any object: an array of pairs keeps the order that it is given.
  return keys.map(([key, each]) => [key, inOrder(each)]);
}
