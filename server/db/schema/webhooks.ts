import { sentEvents, webhookEvents, webhookOffReasons } from '#contract/webhooks.ts';
import {
  bigserial,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgTable,
  primaryKey,
  sql,
  text,
  uuid,
} from '../drizzle.ts';
import { collections } from './access.ts';
import { createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { appRole, forUnrestricted, ofCompany, seesAll } from './policies.ts';

/** Addresses that are told of what happens in a company. */
export const webhooks = pgTable(
  'webhooks',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    url: text('url').notNull(),
    events: text('events', { enum: webhookEvents }).array().notNull(),
    /** It is told of what is in `webhook_collections`, beside what is in none; else of what everyone sees. */
    withinCollections: boolean('within_collections').notNull().default(false),
    /** Sealed with a key that is not in the database. */
    sealedSecret: text('sealed_secret').notNull(),
    /** The one before, which signs beside it until then. */
    sealedSecretBefore: text('sealed_secret_before'),
    secretBeforeUntil: instant('secret_before_until'),
    createdByEmail: text('created_by_email').notNull(),
    createdAt: createdAt(),
    /** Null: it is on. */
    offReason: text('off_reason', { enum: webhookOffReasons }),
    offAt: instant('off_at'),
    /** Attempts in a row that have failed, and since when. */
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    /** After several of these: nothing is sent before. */
    pausedUntil: instant('paused_until'),
    /** Which run delivers, and until when it is believed to: of two at once the order would be lost. */
    runId: uuid('run_id'),
    runUntil: instant('run_until'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), ofCompany()],
);

/** Of which collections a webhook is told, where it is kept within some. */
export const webhookCollections = pgTable(
  'webhook_collections',
  { companyId: companyId(), webhookId: uuid('webhook_id').notNull(), collectionId: uuid('collection_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.webhookId, t.collectionId] }),
    foreignKey({
      name: 'webhook_collections_webhook_fk',
      columns: [t.companyId, t.webhookId],
      foreignColumns: [webhooks.companyId, webhooks.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'webhook_collections_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    index('webhook_collections_collection').on(t.companyId, t.collectionId),
    ofCompany(),
    forUnrestricted(),
  ],
);

/**
 * An event for a webhook, written by the transaction in which it happens. It holds ids alone of what can be hidden or
 * deleted: names and words are looked up when it is sent.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    webhookId: uuid('webhook_id').notNull(),
    /** The order in which events are told. */
    sequence: bigserial('sequence', { mode: 'number' }).notNull(),
    type: text('type', { enum: sentEvents }).notNull(),
    /** What the event is about: of one thing none is sent before an earlier one has arrived, or was given up. */
    subject: text('subject').notNull(),
    /** What it names, where that can be hidden or deleted. */
    documentId: uuid('document_id'),
    queryId: uuid('query_id'),
    data: jsonb('data').notNull().$type<Record<string, unknown>>(),
    at: instant('at').notNull().defaultNow(),
    state: text('state', { enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Sent by a test or by hand: at once and once, whatever else waits. */
    byHand: boolean('by_hand').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    /** Null: at once. */
    nextAt: instant('next_at'),
    /** What was sent last; kept of the newest alone. */
    body: text('body'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      name: 'webhook_deliveries_webhook_fk',
      columns: [t.companyId, t.webhookId],
      foreignColumns: [webhooks.companyId, webhooks.id],
    }).onDelete('cascade'),
    index('webhook_deliveries_log').on(t.companyId, t.webhookId, t.sequence),
    index('webhook_deliveries_waiting')
      .on(t.companyId, t.webhookId, t.sequence)
      .where(sql`state = 'waiting' and not by_hand`),
    index('webhook_deliveries_subject')
      .on(t.companyId, t.webhookId, t.subject, t.sequence)
      .where(sql`state = 'waiting' and not by_hand`),
    index('webhook_deliveries_bodies').on(t.companyId, t.webhookId, t.sequence).where(sql`body is not null`),
    index('webhook_deliveries_age').on(t.at),
    index('webhook_deliveries_waiting_age').on(t.at).where(sql`state = 'waiting'`),
    ofCompany(),
    // Whoever sees a part of the documents may cause events of answers, and knows of no others.
    pgPolicy('of_document', {
      as: 'restrictive',
      for: 'all',
      to: appRole,
      using: sql`${seesAll} or document_id is null`,
      withCheck: sql`${seesAll} or document_id is null`,
    }),
  ],
);

/** Each time that an event was sent. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    companyId: companyId(),
    deliveryId: uuid('delivery_id').notNull(),
    number: integer('number').notNull(),
    at: instant('at').notNull(),
    /** Of the answer; null where there was none that counts. */
    status: integer('status'),
    /** The code of an error. */
    error: text('error'),
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.deliveryId, t.number] }),
    foreignKey({
      name: 'webhook_attempts_delivery_fk',
      columns: [t.companyId, t.deliveryId],
      foreignColumns: [webhookDeliveries.companyId, webhookDeliveries.id],
    }).onDelete('cascade'),
    ofCompany(),
  ],
);
