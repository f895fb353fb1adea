import type { AuditVia } from '#contract/audit.ts';
import { bigint, index, jsonb, pgTable, primaryKey, sql, text, uniqueIndex, uuid } from '../drizzle.ts';
import { bytes, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { ofCompany } from './policies.ts';

/**
 * Who did what. The app role can add and read, and neither change nor remove; nor can it give an event its place in the
 * chain (`features/audit/chain.ts`), which a job does.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    /** Null where nobody was signed in, as at a wrong password. No reference: people go, what they did stays. */
    actorId: uuid('actor_id'),
    /** As it was then. */
    actorEmail: text('actor_email'),
    action: text('action').notNull(),
    /** What it was done to: an e-mail, the name of a file. */
    target: text('target'),
    details: jsonb('details').notNull().$type<Record<string, unknown>>(),
    ip: text('ip'),
    /** By what means; null for events from before that was written down. */
    via: text('via').$type<AuditVia>(),
    /** Place in the company's chain, from 1 without gaps; null until it is sealed. */
    sequence: bigint('sequence', { mode: 'number' }),
    /** SHA-256 of the event before it. */
    previousHash: bytes('previous_hash'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('audit_events_time').on(t.companyId, t.at),
    index('audit_events_action').on(t.companyId, t.action, t.at),
    index('audit_events_person').on(t.companyId, t.actorId, t.at),
    index('audit_events_unsealed').on(t.companyId, t.at).where(sql`${t.sequence} is null`),
    uniqueIndex('audit_events_sequence').on(t.companyId, t.sequence).where(sql`${t.sequence} is not null`),
    // Of sealed events alone, so that whoever writes one never waits for it. Read by `audit_events_with`, as the owner.
    index('audit_events_grams')
      .using('gin', sql`audit_grams(company_id, audit_words(actor_email, ip, target, details))`)
      .where(sql`${t.sequence} is not null`),
    ofCompany(),
  ],
);

/** Both ends of each company's chain of events. */
export const auditChains = pgTable(
  'audit_chains',
  {
    companyId: companyId().primaryKey(),
    /** Of the newest sealed event, with its hash. */
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    hash: bytes('hash').notNull(),
    /** Of the newest event that was removed for its age, with its hash; 0: none was. */
    removedThrough: bigint('removed_through', { mode: 'number' }).notNull().default(0),
    removedHash: bytes('removed_hash').notNull(),
  },
  () => [ofCompany()],
);
