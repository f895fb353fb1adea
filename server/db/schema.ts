import type { JWK } from 'jose';
import type { AgentSettings } from '#contract/agent.ts';
import { actingKinds, apiKeyScopes } from '#contract/api-keys.ts';
import type { AuditVia } from '#contract/audit.ts';
import type { PlantedPassage } from '#contract/calls/documents.ts';
import type { CallOutput } from '#contract/calls.ts';
import { mailLanguages } from '#contract/settings.ts';
import { secondFactorKinds, signInMethods } from '#contract/sign-in.ts';
import { sentEvents, webhookEvents, webhookOffReasons } from '#contract/webhooks.ts';
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgRole,
  pgTable,
  primaryKey,
  real,
  sql,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from './drizzle.ts';

// Longer than a file should be: it is one list, each table beside those that it names, and migrations are made from it.

/**
 * Every table. One that holds anything of a company carries `company_id`, starts its key with it, and has the row-level
 * security policy `ofCompany()`; a test lists any that lacks it. Tables without it (signing keys, rate limits) are not
 * granted to the application role at all.
 *
 * One long file on purpose: who adds a table sees what every other one does about companies, keys and deletion.
 */

/** The role that `asCompany` takes on: it has grants, owns nothing and can't bypass row-level security. */
export const appRole = pgRole('footnote_app').existing();

// The sub-select makes PostgreSQL evaluate the setting once per query instead of once per row (5 times faster).
const currentCompany = sql`(select nullif(current_setting('app.company_id', true), '')::uuid)`;

function ofCompany(column = 'company_id') {
  const condition = sql`${sql.raw(column)} = ${currentCompany}`;
  return pgPolicy('of_company', { for: 'all', to: appRole, using: condition, withCheck: condition });
}

/**
 * The collections that the reader of a transaction sees: null is all of them. `asActor` asks once for them, by
 * `visible_collections()` (`0027_collections.sql`): asked for each row, or by each policy of a statement, they would take
 * most of its time.
 */
export const collectionsSeen = sql`(select nullif(current_setting('app.collections', true), '')::uuid[])`;
/** Whether the reader of a transaction sees everything. */
export const seesAll = sql`${collectionsSeen} is null`;

/** On top of `ofCompany()`: only where everything is seen. */
const forUnrestricted = () =>
  pgPolicy('of_unrestricted', { as: 'restrictive', for: 'all', to: appRole, using: seesAll, withCheck: seesAll });

/**
 * On top of `ofCompany()`: only what is in a collection that the reader sees. Where all is seen the array is null, and so
 * is the comparison: it is made once, and what is hidden takes hardly longer than what is not there.
 */
function inVisibleCollection(column: string, isNullSeen: boolean) {
  const name = sql.raw(column);
  const none = isNullSeen ? sql` or ${name} is null` : sql``;
  const condition = sql`(${name} = any(${collectionsSeen}::uuid[])) is not false${none}`;
  return pgPolicy('of_collection', {
    as: 'restrictive',
    for: 'all',
    to: appRole,
    using: condition,
    withCheck: condition,
  });
}

/** On top of `ofCompany()`, for what hangs on a document: only where the document is seen. */
function ofVisibleDocument(table: string) {
  const name = sql.raw(table);
  const condition = sql`${seesAll} or exists (select from documents as seen where seen.company_id = ${name}.company_id and seen.id = ${name}.document_id)`;
  return pgPolicy('of_document', {
    as: 'restrictive',
    for: 'all',
    to: appRole,
    using: condition,
    withCheck: condition,
  });
}

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const createdAt = () => instant('created_at').notNull().defaultNow();
const companyId = () =>
  uuid('company_id')
    .notNull()
    .references(() => companies.id, { onDelete: 'cascade' });

export const companies = pgTable(
  'companies',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    ownerId: uuid('owner_id').notNull(),
    createdAt: createdAt(),
    /** What the company's people are mailed in. */
    mailLanguage: text('mail_language', { enum: mailLanguages }).notNull().default('en'),
    /** After so many days one has to sign in again, however much the session was used; null: as long as it is used. */
    sessionDays: integer('session_days'),
    /** After so many minutes without use one has to sign in again; null: when the refresh token has ended. */
    sessionIdleMinutes: integer('session_idle_minutes'),
    /** Everybody has to have a second factor; who has none can only set one up. */
    secondFactorRequired: boolean('second_factor_required').notNull().default(false),
    /** Where its people may come from, in what `parseRange` has written; null: from anywhere. */
    allowedAddresses: jsonb('allowed_addresses').$type<{ range: string; note: string }[]>(),
    /** Of the IANA database: where days begin for the company. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** False: analytics tell of nobody by name. */
    showNames: boolean('show_names').notNull().default(true),
    /** Questions and answers that are older are erased. */
    questionRetentionDays: integer('question_retention_days').notNull().default(400),
    /** Its admins are mailed what was asked in the month before. */
    monthlyReport: boolean('monthly_report').notNull().default(false),
    /** The first day of the month that was mailed last. */
    reportedMonth: date('reported_month', { mode: 'string' }),
    /** An admin has asked for its end: until then one of them can take it back, and nobody else gets in. */
    endsAt: instant('ends_at'),
    /** Its erasing has begun, and can't be taken back any more. */
    erasingSince: instant('erasing_since'),
    /** The subscription was canceled for that: it goes on where the end is taken back. */
    chargingStopped: boolean('charging_stopped').notNull().default(false),
  },
  (t) => [index('companies_end').on(t.endsAt).where(sql`ends_at is not null`), ofCompany('id')],
);

// --- settings ---

/** How the company wants to be shown; absent: like the product. */
export const companyBrands = pgTable(
  'company_brands',
  {
    companyId: companyId().primaryKey(),
    name: text('name'),
    /** As `#rrggbb`. */
    accent: text('accent'),
    /** A PNG that was written here, and the first letters of its sha-256: they are in its address. */
    logo: bytes('logo'),
    logoHash: text('logo_hash'),
  },
  () => [ofCompany()],
);

/** How the assistant answers, as it was saved each time; the highest version counts, and without one the usual. */
export const agentVersions = pgTable(
  'agent_versions',
  {
    companyId: companyId(),
    version: integer('version').notNull(),
    settings: jsonb('settings').notNull().$type<AgentSettings>(),
    /** No reference: people go, what they saved stays. */
    savedBy: uuid('saved_by').notNull(),
    savedByEmail: text('saved_by_email').notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
    /** The version that it was made from by going back. */
    restoredFrom: integer('restored_from'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.version] }), ofCompany()],
);

// --- identity ---

export const users = pgTable(
  'users',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** What the identity provider calls the person; null until it knows them. */
    providerUid: text('provider_uid'),
    /** Lower case. Over all companies, one account and one invitation: of these two the invitation comes first. */
    email: text('email').notNull(),
    displayName: text('display_name'),
    role: text('role', { enum: ['admin', 'member'] }).notNull(),
    state: text('state', { enum: ['active', 'invited'] }).notNull(),
    /** ID tokens issued before this moment are refused. */
    tokensValidSince: instant('tokens_valid_since').notNull().defaultNow(),
    /** The provider has yet to be told of role and company: it is before the next token. */
    claimsDue: boolean('claims_due').notNull().default(false),
    /** When it was told last: what a token of before claims differently is old. */
    claimsToldAt: instant('claims_told_at'),
    createdAt: createdAt(),
    lastSignInAt: instant('last_sign_in_at'),
    /** Whether they are mailed about sign-ins from browsers that are not known. */
    signInMails: boolean('sign_in_mails').notNull().default(true),
    /** When they proved that mails to the address reach them; null: anyone may have given it. */
    emailConfirmedAt: instant('email_confirmed_at'),
    /** Of the newest invitation; null for who was never invited. */
    invitedAt: instant('invited_at'),
    invitationExpiresAt: instant('invitation_expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('users_id').on(t.id),
    uniqueIndex('users_email_active').on(t.email).where(sql`state = 'active'`),
    uniqueIndex('users_email_invited').on(t.email).where(sql`state = 'invited'`),
    index('users_unconfirmed').on(t.createdAt).where(sql`email_confirmed_at is null and state = 'active'`),
    uniqueIndex('users_provider_uid').on(t.providerUid),
    ofCompany(),
  ],
);

/**
 * Where people are signed in. What makes it go on is the identity provider's; what is here says that it has ended, also
 * to tokens that are still valid, and so stays for a while after the end.
 */
export const sessions = pgTable(
  'sessions',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    /** As its tokens name it. */
    id: text('id').notNull(),
    createdAt: createdAt(),
    /** To the minute. */
    seenAt: instant('seen_at').notNull(),
    /** Where it was used from last. */
    address: text('address').notNull(),
    /** What the browser or program has said of itself, in words. */
    agent: text('agent').notNull(),
    methods: text('methods', { enum: signInMethods }).array().notNull(),
    endedAt: instant('ended_at'),
    /** Of one that the company's own provider has begun, what that calls it (`sid`), where it says. */
    providerSession: text('provider_session'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.userId, t.id] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    index('sessions_seen').on(t.seenAt),
    ofCompany(),
  ],
);

/** The provider (OIDC) by which a company's people sign in. */
export const singleSignOns = pgTable(
  'single_sign_ons',
  {
    companyId: companyId().primaryKey(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed with a key that is not in the database. */
    sealedSecret: text('sealed_secret').notNull(),
    /** When an admin has come in by it as it is now; null: nobody has. */
    testedAt: instant('tested_at'),
    /** Whether it is the only way in. */
    required: boolean('required').notNull().default(false),
  },
  () => [ofCompany()],
);

/** The domains of a company's e-mails. One that is verified is so for one company alone. */
export const companyDomains = pgTable(
  'company_domains',
  {
    companyId: companyId(),
    domain: text('domain').notNull(),
    /** What its record has to say. */
    token: text('token').notNull(),
    createdAt: createdAt(),
    /** Null: its record was not found yet. */
    verifiedAt: instant('verified_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.domain] }),
    uniqueIndex('company_domains_verified').on(t.domain).where(sql`verified_at is not null`),
    ofCompany(),
  ],
);

/** Who somebody is that a company's provider speaks of: by its own name for the person, never by the e-mail again. */
export const singleSignOnIdentities = pgTable(
  'single_sign_on_identities',
  {
    companyId: companyId(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.issuer, t.subject] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    uniqueIndex('single_sign_on_identities_person').on(t.companyId, t.userId, t.issuer),
    ofCompany(),
  ],
);

/** What people prove who they are with beside their password. */
export const secondFactors = pgTable(
  'second_factors',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    id: uuid('id').notNull(),
    kind: text('kind', { enum: secondFactorKinds }).notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    /** Null: begun, and not in effect. */
    confirmedAt: instant('confirmed_at'),
    lastUsedAt: instant('last_used_at'),
    /** Of `totp`: the secret, sealed with a key that is not in the database. */
    sealedSecret: text('sealed_secret'),
    /** Of `totp`: the step of the code that was used last. */
    lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
    /** Of `passkey`, as WebAuthn calls them. */
    credentialId: text('credential_id'),
    publicKey: bytes('public_key'),
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.userId, t.id] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    uniqueIndex('second_factors_credential').on(t.credentialId),
    ofCompany(),
  ],
);

/** What people get in with who have lost their second factor; each code once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    /** sha-256 of person and code, hex. */
    codeHash: text('code_hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.userId, t.codeHash] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    ofCompany(),
  ],
);

/** What browsers were asked to sign with a passkey; each once, and for five minutes. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    challenge: text('challenge').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.userId, t.challenge] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    index('passkey_challenges_expiry').on(t.expiresAt),
    ofCompany(),
  ],
);

/**
 * Codes of mailed links that only show that a mail was read: they set no password, so the identity provider need not
 * know of them.
 */
export const emailCodes = pgTable(
  'email_codes',
  {
    companyId: companyId(),
    /** sha-256, hex. */
    codeHash: text('code_hash').notNull(),
    userId: uuid('user_id').notNull(),
    /** `invite`: of an invitation whose e-mail an unconfirmed account of another company has. */
    purpose: text('purpose', { enum: ['confirm', 'invite'] }).notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.codeHash] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    uniqueIndex('email_codes_hash').on(t.codeHash),
    index('email_codes_user').on(t.companyId, t.userId),
    ofCompany(),
  ],
);

/**
 * Accounts at the identity provider that belong to nobody: made by a sign-up that has not ended (its company is not
 * there yet, so it is not referenced), or of a removed person. They are removed there when due.
 */
export const identityLeftovers = pgTable(
  'identity_leftovers',
  {
    companyId: uuid('company_id').notNull(),
    /** The provider's id. */
    uid: text('uid').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.uid] }), uniqueIndex('identity_leftovers_uid').on(t.uid), ofCompany()],
);

/** What an admin wants to be mailed about once a day; absent: nothing. */
export const digestChoices = pgTable(
  'digest_choices',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    failedFiles: boolean('failed_files').notNull().default(false),
    unanswered: boolean('unanswered').notNull().default(false),
    /** Up to when it has been told: what comes later is new. */
    toldUntil: instant('told_until').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.userId] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    ofCompany(),
  ],
);

// --- the embedded identity provider: its own tables, which know no companies. Never granted to the app role. ---

export const identityAccounts = pgTable(
  'identity_accounts',
  {
    uid: text('uid').primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    /** argon2id, in its PHC string; null until a code has set a password. */
    passwordHash: text('password_hash'),
    claims: jsonb('claims').$type<{ role: 'admin' | 'member'; companyId: string }>(),
    /** No token is dated before this moment: earlier ones are refused by the users' `tokens_valid_since`. */
    tokensFrom: instant('tokens_from'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('identity_accounts_email').on(t.email)],
);

const identityUid = () =>
  text('uid')
    .notNull()
    .references(() => identityAccounts.uid, { onDelete: 'cascade' });

export const identityRefreshTokens = pgTable(
  'identity_refresh_tokens',
  {
    /** sha-256, hex: the token itself is never stored. */
    tokenHash: text('token_hash').primaryKey(),
    uid: identityUid(),
    /** All tokens that descend from one sign-in; reuse of a spent one revokes the family. */
    familyId: uuid('family_id').notNull(),
    /** When the family's person proved who they are. */
    authenticatedAt: instant('authenticated_at').notNull(),
    /** When it was exchanged for its successor. */
    usedAt: instant('used_at'),
    revokedAt: instant('revoked_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('identity_refresh_tokens_family').on(t.familyId),
    index('identity_refresh_tokens_uid').on(t.uid),
    index('identity_refresh_tokens_expiry').on(t.expiresAt),
  ],
);

/** What an outside provider gave for a session: its own refresh token, sealed. */
export const identityRemoteSessions = pgTable(
  'identity_remote_sessions',
  {
    familyId: uuid('family_id').primaryKey(),
    uid: identityUid(),
    sealedToken: text('sealed_token').notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('identity_remote_sessions_uid').on(t.uid)],
);

export const identityCodes = pgTable(
  'identity_codes',
  {
    /** sha-256, hex. */
    codeHash: text('code_hash').primaryKey(),
    uid: identityUid(),
    purpose: text('purpose', { enum: ['reset', 'invite'] }).notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('identity_codes_uid').on(t.uid), index('identity_codes_expiry').on(t.expiresAt)],
);

/**
 * Secrets the service makes for itself: the ID token's signing keys, the key of file links. Never granted to the app
 * role.
 */
export const serviceKeys = pgTable('service_keys', {
  id: text('id').primaryKey(),
  purpose: text('purpose', {
    enum: ['id-token', 'file-link', 'export-link', 'refresh-token', 'device', 'set-up', 'audit-link', 'app-request'],
  }).notNull(),
  /** A JWK, private part included. */
  jwk: jsonb('jwk').notNull().$type<JWK>(),
  createdAt: createdAt(),
  retiredAt: instant('retired_at'),
});

/** Fixed windows counted for all processes together; `key` names the limit and whom it is for. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  windowStart: instant('window_start').notNull(),
  count: integer('count').notNull(),
});

// --- mail: never granted to the app role, since the words of a mail carry links that are as good as a password ---

/** A mail on its way; once it has gone, that it was sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** Of whose company: it is gone with it. No reference, since what was sent is no part of a company. */
    companyId: uuid('of_company'),
    /** sha-256 of the address, hex. */
    toHash: text('to_hash').notNull(),
    subject: text('subject').notNull(),
    /** These three are null once it is sent or given up. */
    toAddress: text('to_address'),
    text: text('text'),
    html: text('html'),
    state: text('state', { enum: ['waiting', 'sent', 'failed'] }).notNull(),
    /** Why it failed. */
    reason: text('reason'),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('mails_time').on(t.createdAt),
    index('mails_company').on(t.companyId).where(sql`of_company is not null`),
  ],
);

/** Where mails end in development, to be read at `/dev/outbox`. */
export const outboxMails = pgTable(
  'outbox_mails',
  {
    messageId: text('message_id').primaryKey(),
    /** Random: the address of its page. */
    id: uuid('id').notNull(),
    toAddress: text('to_address').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The date that it bears. */
    sentAt: instant('sent_at').notNull(),
    /** Order of arrival, for mails of one millisecond. */
    number: bigserial('number', { mode: 'number' }).notNull(),
  },
  (t) => [uniqueIndex('outbox_mails_id').on(t.id), index('outbox_mails_number').on(t.number)],
);

// --- audit ---

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

// --- billing ---

/** A projection of the payment provider's record; absent means state `none`. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    companyId: companyId().primaryKey(),
    state: text('state').notNull(),
    plan: text('plan'),
    currentPeriodEnd: instant('current_period_end'),
    pastDueSince: instant('past_due_since'),
    /** The provider's id of it. */
    subscriptionId: text('subscription_id'),
    /** Of our catalogue; null for a price that is not in it (any more). */
    priceId: text('price_id'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** When it ends, where that has been decided. */
    endsAt: instant('ends_at'),
    /** Given by whoever runs the service; comes before everything that the provider says. */
    grantedPlan: text('granted_plan'),
    /** When the first payment was made, or the plan given; null: never yet. */
    paidAt: instant('paid_at'),
    /** What the admins were last mailed about, so that nothing is mailed twice. */
    notified: text('notified'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  () => [ofCompany()],
);

/** The company's customer at the payment provider: one for each, bound for good. */
export const paymentCustomers = pgTable(
  'payment_customers',
  {
    companyId: companyId().primaryKey(),
    customerId: text('customer_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('payment_customers_customer').on(t.customerId), ofCompany()],
);

/** Events of the provider that have been taken, so that each counts once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    companyId: companyId(),
    id: text('id').notNull(),
    type: text('type').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), index('payment_events_received').on(t.receivedAt), ofCompany()],
);

// --- who may see what ---

/** What is seen by everyone, or by some alone. Documents in none are in the company's own, which everyone sees. */
export const collections = pgTable(
  'collections',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** The name as it is compared. */
    nameKey: text('name_key').notNull(),
    access: text('access', { enum: ['everyone', 'restricted'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('collections_name').on(t.companyId, t.nameKey),
    ofCompany(),
    inVisibleCollection('id', false),
  ],
);

export const groups = pgTable(
  'groups',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('groups_name').on(t.companyId, t.nameKey),
    ofCompany(),
    forUnrestricted(),
  ],
);

export const groupMembers = pgTable(
  'group_members',
  { companyId: companyId(), groupId: uuid('group_id').notNull(), userId: uuid('user_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.groupId, t.userId] }),
    foreignKey({
      name: 'group_members_group_fk',
      columns: [t.companyId, t.groupId],
      foreignColumns: [groups.companyId, groups.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'group_members_user_fk',
      columns: [t.companyId, t.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    index('group_members_user').on(t.companyId, t.userId),
    ofCompany(),
    forUnrestricted(),
  ],
);

export const collectionPeople = pgTable(
  'collection_people',
  { companyId: companyId(), collectionId: uuid('collection_id').notNull(), userId: uuid('user_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.collectionId, t.userId] }),
    foreignKey({
      name: 'collection_people_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'collection_people_user_fk',
      columns: [t.companyId, t.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    index('collection_people_user').on(t.companyId, t.userId),
    ofCompany(),
    forUnrestricted(),
  ],
);

export const collectionGroups = pgTable(
  'collection_groups',
  { companyId: companyId(), collectionId: uuid('collection_id').notNull(), groupId: uuid('group_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.collectionId, t.groupId] }),
    foreignKey({
      name: 'collection_groups_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'collection_groups_group_fk',
      columns: [t.companyId, t.groupId],
      foreignColumns: [groups.companyId, groups.id],
    }).onDelete('cascade'),
    index('collection_groups_group').on(t.companyId, t.groupId),
    ofCompany(),
    forUnrestricted(),
  ],
);

// --- API keys ---

export const apiKeys = pgTable(
  'api_keys',
  {
    companyId: companyId(),
    /** A company's key acts under it wherever a person acts under theirs. */
    id: uuid('id').notNull(),
    /** By which a bearer names its key: the part of it that is no secret. Of an app its id, which its tokens name. */
    publicId: text('public_id').notNull().unique(),
    /** SHA-256 of the whole key: of 190 random bits nobody finds another that has it. Of an app none. */
    hash: bytes('hash'),
    kind: text('kind', { enum: actingKinds }).notNull(),
    /** Of a personal key and of an app, which end with their person. */
    userId: uuid('user_id'),
    /** Of a company's key; the others have the role of their person. */
    role: text('role', { enum: ['admin', 'member'] }),
    scope: text('scope', { enum: apiKeyScopes }).notNull(),
    name: text('name').notNull(),
    /** Of a company's key: it sees what is in `api_key_collections`, beside what is in none. */
    withinCollections: boolean('within_collections').notNull().default(false),
    /** Of an app: the program, as it is registered or as its document is addressed. */
    clientId: text('client_id'),
    /** Of an app: the host name that was told that it is connected. */
    clientAddress: text('client_address'),
    createdByEmail: text('created_by_email').notNull(),
    createdAt: createdAt(),
    /** Null: never. */
    expiresAt: instant('expires_at'),
    /** To the minute. */
    lastUsedAt: instant('last_used_at'),
    /** The row stays for what analytics tell of it. */
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.userId], foreignColumns: [users.companyId, users.id] }).onDelete('cascade'),
    index('api_keys_user').on(t.companyId, t.userId),
    check('api_keys_whose', sql`(kind = 'company') = (user_id is null) and (kind = 'company') = (role is not null)`),
    check(
      'api_keys_app',
      sql`(kind = 'app') = (hash is null) and (kind = 'app') = (client_id is not null) and (kind = 'app') = (client_address is not null)`,
    ),
    ofCompany(),
  ],
);

/** What a company's key may see of the collections, where it is kept within some. */
export const apiKeyCollections = pgTable(
  'api_key_collections',
  { companyId: companyId(), keyId: uuid('key_id').notNull(), collectionId: uuid('collection_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.keyId, t.collectionId] }),
    foreignKey({
      name: 'api_key_collections_key_fk',
      columns: [t.companyId, t.keyId],
      foreignColumns: [apiKeys.companyId, apiKeys.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_key_collections_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    index('api_key_collections_collection').on(t.companyId, t.collectionId),
    ofCompany(),
    forUnrestricted(),
  ],
);

/** What was asked by a key, counted by the company's days as they were then. */
export const apiKeyDays = pgTable(
  'api_key_days',
  {
    companyId: companyId(),
    day: date('day', { mode: 'string' }).notNull(),
    keyId: uuid('key_id').notNull(),
    asked: integer('asked').notNull(),
    searched: integer('searched').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.day, t.keyId] }),
    foreignKey({
      name: 'api_key_days_key_fk',
      columns: [t.companyId, t.keyId],
      foreignColumns: [apiKeys.companyId, apiKeys.id],
    }).onDelete('cascade'),
    index('api_key_days_key').on(t.companyId, t.keyId),
    ofCompany(),
  ],
);

// --- connected apps: never granted to the app role, since what is here is looked up before anybody is known ---

/** Programs that have registered, and as what; none of them has a secret. */
export const oauthClients = pgTable('oauth_clients', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  redirectUris: text('redirect_uris').array().notNull(),
  createdAt: createdAt(),
});

/** What the authorization server keeps: requests under way, codes, tokens, and what each of them was made by. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    kind: text('kind').notNull(),
    /** SHA-256, base64url, of what its bearer shows: nobody who reads this table can show it. */
    idHash: text('id_hash').notNull(),
    /** The app that it belongs to, as `api_keys.public_id` names it; null: nobody has allowed anything yet. */
    grantId: text('grant_id'),
    payload: jsonb('payload').notNull().$type<Record<string, unknown>>(),
    expiresAt: instant('expires_at').notNull(),
    /** Of what is of use once. */
    consumedAt: instant('consumed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.idHash] }),
    index('oauth_records_grant').on(t.grantId),
    index('oauth_records_expiry').on(t.expiresAt),
  ],
);

// --- webhooks ---

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

// --- documents ---

export const documents = pgTable(
  'documents',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** Exactly as uploaded. */
    name: text('name').notNull(),
    /** The name after NFC: what "the same name" compares. */
    nameKey: text('name_key').notNull(),
    /** The version that answers; null until one is ready. */
    currentVersion: integer('current_version'),
    newestVersion: integer('newest_version').notNull(),
    /** The mail that it is attached to. */
    parentId: uuid('parent_id'),
    /** Null: in the company's own collection. That of an attachment is its mail's. */
    collectionId: uuid('collection_id'),
    /** As the admin wrote them. */
    tags: text('tags').array().notNull().default([]),
    /** The same tags as they are compared. */
    tagKeys: text('tag_keys').array().notNull().default([]),
    createdAt: createdAt(),
    /** Set: gone for every reader; the rows and bytes are erased by a job. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      name: 'documents_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }),
    index('documents_collection').on(t.companyId, t.collectionId),
    index('documents_parent').on(t.companyId, t.parentId).where(sql`parent_id is not null`),
    index('documents_tags').using('gin', t.tagKeys),
    uniqueIndex('documents_name').on(t.companyId, t.nameKey).where(sql`deleted_at is null`),
    // The sweep asks every few minutes, and must not read every company's every document.
    index('documents_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
    ofCompany(),
    inVisibleCollection('collection_id', true),
  ],
);

export const versions = pgTable(
  'versions',
  {
    companyId: companyId(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    state: text('state', { enum: ['queued', 'processing', 'ready', 'partial', 'failed'] }).notNull(),
    /** Plain words for the admin. */
    reason: text('reason'),
    progressDone: integer('progress_done'),
    progressTotal: integer('progress_total'),
    pages: integer('pages'),
    /** What gives orders to a language model in it; null where it was not looked for, as in versions of before. */
    planted: jsonb('planted').$type<PlantedPassage[]>(),
    /** Found by content, not by name. */
    mediaType: text('media_type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    /** Where the bytes lie in the object store. */
    objectKey: text('object_key').notNull(),
    /** The tus upload that brought it: finishing twice makes one version. */
    uploadId: text('upload_id').notNull(),
    uploadedBy: uuid('uploaded_by').notNull(),
    uploadedAt: instant('uploaded_at').notNull().defaultNow(),
    /** Counted up by every retry: a job of an earlier attempt must not write. */
    attempt: integer('attempt').notNull().default(1),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.documentId, t.version] }),
    foreignKey({
      columns: [t.companyId, t.documentId],
      foreignColumns: [documents.companyId, documents.id],
    }).onDelete('cascade'),
    uniqueIndex('versions_upload').on(t.companyId, t.uploadId),
    index('versions_unfinished').on(t.uploadedAt).where(sql`state in ('queued', 'processing')`),
    ofCompany(),
    ofVisibleDocument('versions'),
  ],
);

/** The extracted text as blocks in reading order. A version's text is its blocks joined by one line feed. */
export const blocks = pgTable(
  'blocks',
  {
    companyId: companyId(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    index: integer('index').notNull(),
    kind: text('kind', { enum: ['heading', 'paragraph', 'item', 'row', 'code'] }).notNull(),
    level: integer('level'),
    text: text('text').notNull(),
    /** Offsets (UTF-16 code units) into the version's text, end exclusive. */
    start: integer('start').notNull(),
    end: integer('end').notNull(),
    page: integer('page'),
    cells: jsonb('cells').$type<string[]>(),
    header: boolean('header').notNull().default(false),
    /**
     * Of a row: the labels that it stands below; index of the first row of its table, which may have what is known of
     * it.
     */
    parents: jsonb('parents').$type<string[]>(),
    tableStart: integer('table_start'),
    table: jsonb('table_head').$type<{
      columns: string[];
      caption?: string;
      unit?: string;
      sheet?: string;
      isMailHead?: boolean;
    }>(),
    /** The head or foot of a page: read, not searched. */
    running: boolean('running').notNull().default(false),
    part: text('part'),
    /** Left, top, right, bottom on its page, as fractions of the page's width and height. */
    box: real('box').array(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.documentId, t.version, t.index] }),
    foreignKey({
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    ofCompany(),
    ofVisibleDocument('blocks'),
  ],
);

/** What is searched: a run of blocks, with offsets into the version's text. */
export const chunks = pgTable(
  'chunks',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    index: integer('index').notNull(),
    /** The headings above it, outermost first. */
    headingPath: text('heading_path').array().notNull(),
    page: integer('page'),
    /** The page on which it ends, where that is another one. */
    lastPage: integer('last_page'),
    start: integer('start').notNull(),
    end: integer('end').notNull(),
    firstBlock: integer('first_block').notNull(),
    lastBlock: integer('last_block').notNull(),
    text: text('text').notNull(),
    /** What it is written in (ISO 639-1), where that is known. */
    language: text('language'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    uniqueIndex('chunks_position').on(t.companyId, t.documentId, t.version, t.index),
    ofCompany(),
    ofVisibleDocument('chunks'),
  ],
);

/**
 * An upload under way: whose it is and what it will be called. Its bytes lie with tus until it is finished. One that
 * brought what was there already stays for a while, with the version that it is answered with.
 */
/**
 * Pages of a version whose pictures were recognised: what a process that ends has done of them. Gone when the version
 * is read.
 */
export const recognisedPages = pgTable(
  'recognised_pages',
  {
    companyId: companyId(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    attempt: integer('attempt').notNull(),
    page: integer('page').notNull(),
    /** As the parser told it. */
    content: jsonb('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.documentId, t.version, t.attempt, t.page] }),
    foreignKey({
      name: 'recognised_pages_version_fk',
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    ofCompany(),
    ofVisibleDocument('recognised_pages'),
  ],
);

export const uploads = pgTable(
  'uploads',
  {
    companyId: companyId(),
    id: text('id').notNull(),
    userId: uuid('user_id').notNull(),
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** What is to happen where a file of the name is there. */
    ifExists: text('if_exists', { enum: ['replace', 'keep-both'] })
      .notNull()
      .default('replace'),
    /** Where a new document of it comes, and one of its name goes; null: where that is, or the company's own. */
    collectionId: uuid('collection_id'),
    documentId: uuid('document_id'),
    version: integer('version'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('uploads_id').on(t.id),
    foreignKey({
      name: 'uploads_version_fk',
      columns: [t.companyId, t.documentId, t.version],
      foreignColumns: [versions.companyId, versions.documentId, versions.version],
    }).onDelete('cascade'),
    foreignKey({
      name: 'uploads_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }),
    index('uploads_version').on(t.companyId, t.documentId, t.version).where(sql`document_id is not null`),
    ofCompany(),
    forUnrestricted(),
  ],
);

/**
 * Where the bytes of an unfinished upload stand that lie in a store that speaks S3 (`server/ports/files/s3/unfinished.ts`).
 * A row comes before that of `uploads` and goes when the bytes are an object as a whole: nothing refers to it.
 */
export const uploadBytes = pgTable(
  'upload_bytes',
  {
    companyId: companyId(),
    uploadId: text('upload_id').notNull(),
    /** What all of it will have. */
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Of this beginning: the object that comes of it carries it, too. */
    mark: uuid('mark').notNull(),
    /** Bytes that are kept. */
    offset: bigint('offset', { mode: 'number' }).notNull().default(0),
    /** The store's id of the upload in parts; null where it has none yet. */
    multipartId: text('multipart_id'),
    /** Entity tags of the parts that are there, in their order. */
    parts: jsonb('parts').$type<string[]>().notNull().default([]),
    /** The object with what is there of the next part. */
    tail: text('tail'),
    /** The first bytes, 4 KiB at most: of parts nothing can be read before they are one. */
    head: bytes('head'),
    touchedAt: instant('touched_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.uploadId] }),
    index('upload_bytes_touched').on(t.touchedAt),
    ofCompany(),
    forUnrestricted(),
  ],
);

/**
 * Which search tables lie in a store that speaks S3, and how often each was changed (`server/ports/search/s3/rows.ts`). No
 * row refers to its company: it is removed with the table, after the company.
 */
export const searchTables = pgTable(
  'search_tables',
  {
    companyId: uuid('company_id').notNull(),
    /** The place of the tables of one kind: bucket, prefix and folder. */
    place: text('place').notNull(),
    /** Of the table there: another one each time it is made anew. */
    name: text('name').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.place] }), ofCompany(), forUnrestricted()],
);

// --- answers ---

export const queries = pgTable(
  'queries',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    question: text('question').notNull(),
    answer: text('answer').notNull(),
    answered: boolean('answered').notNull(),
    /** Claims that no source supports: offsets into the answer. */
    unsupported: jsonb('unsupported').$type<{ start: number; end: number }[]>(),
    /** Claims that words could not decide on: the same. */
    unchecked: jsonb('unchecked').$type<{ start: number; end: number }[]>(),
    /** What the reader was told of how the answer was made. */
    notice: text('notice'),
    /** The model that wrote it; null for quotes. */
    model: text('model'),
    /** The documents of which the model was given passages: their words may stand anywhere in its answer. */
    readDocuments: uuid('read_documents').array(),
    /** What the model was sent and gave, also where it failed and quotes stand in the answer. */
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    rating: text('rating', { enum: ['up', 'down'] }),
    ratingReason: text('rating_reason'),
    ratedAt: instant('rated_at'),
    /** Milliseconds from call to result. */
    durationMs: integer('duration_ms').notNull(),
    createdAt: createdAt(),
    /** The question before it, where it goes on from that one and says too little by itself. */
    saidBefore: text('said_before'),
    /** Tried by an admin, or a greeting: nothing that analytics count. */
    isTrial: boolean('is_trial').notNull().default(false),
    /** As which of `asked_questions` it counts; null until it is counted. */
    askedQuestionId: uuid('asked_question_id'),
    /** Whether the aggregates have it as it is. */
    counted: boolean('counted').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('queries_time').on(t.companyId, t.createdAt),
    index('queries_person').on(t.companyId, t.userId, t.createdAt),
    index('queries_asked_question')
      .on(t.companyId, t.askedQuestionId, t.createdAt)
      .where(sql`asked_question_id is not null`),
    // Who got no answer to a question, told from the index alone.
    index('queries_unanswered')
      .on(t.companyId, t.askedQuestionId, t.createdAt, t.userId)
      .where(sql`asked_question_id is not null and not answered and not is_trial`),
    index('queries_rated').on(t.companyId, t.createdAt).where(sql`rating is not null`),
    index('queries_uncounted').on(t.companyId, t.createdAt).where(sql`not counted and not is_trial`),
    index('queries_read_documents').using('gin', t.readDocuments).where(sql`read_documents is not null`),
    ofCompany(),
    // An answer is as hidden as what it was made of.
    pgPolicy('of_answer', {
      as: 'restrictive',
      for: 'all',
      to: appRole,
      using: sql`${seesAll} or answer_is_visible(id, read_documents)`,
      withCheck: sql`${seesAll} or answer_is_visible(id, read_documents)`,
    }),
  ],
);

/**
 * The replies to questions that were sent with an `Idempotency-Key`, for a day: the row of a reply and that of its answer
 * are written by one statement, so that whoever sends the question again is told the reply, and nothing is stored twice.
 */
export const keptReplies = pgTable(
  'kept_replies',
  {
    companyId: companyId(),
    /** Made of the person and the key. */
    id: uuid('id').notNull(),
    queryId: uuid('query_id').notNull(),
    /** SHA-256 of what was asked, in hexadecimal digits. */
    asked: text('asked').notNull(),
    /** Null once a document that it tells of is deleted. */
    reply: jsonb('reply').$type<CallOutput<'query'>>(),
    /** Every document of which words stand in it. */
    documentIds: uuid('document_ids').array().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      name: 'kept_replies_query_fk',
      columns: [t.companyId, t.queryId],
      foreignColumns: [queries.companyId, queries.id],
    }).onDelete('cascade'),
    index('kept_replies_query').on(t.companyId, t.queryId),
    index('kept_replies_documents').using('gin', t.documentIds),
    index('kept_replies_age').on(t.createdAt),
    ofCompany(),
    pgPolicy('of_answer', {
      as: 'restrictive',
      for: 'all',
      to: appRole,
      using: sql`${seesAll} or answer_is_visible(query_id, document_ids)`,
      withCheck: sql`${seesAll} or answer_is_visible(query_id, document_ids)`,
    }),
  ],
);

export const citations = pgTable(
  'citations',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    queryId: uuid('query_id').notNull(),
    n: integer('n').notNull(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    /** Word for word; null once the document is deleted. */
    quote: text('quote'),
    page: integer('page'),
    /** Offsets into the version's text, end exclusive. */
    start: integer('start').notNull(),
    end: integer('end').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.queryId], foreignColumns: [queries.companyId, queries.id] }).onDelete(
      'cascade',
    ),
    index('citations_query').on(t.companyId, t.queryId, t.n),
    index('citations_document').on(t.companyId, t.documentId),
    ofCompany(),
    ofVisibleDocument('citations'),
  ],
);

// --- analytics: what `queries` and `citations` amount to, by day of the company. Made from them anew at any time. ---

/** A question however it is worded: what everyone who asked it is counted under. */
export const askedQuestions = pgTable(
  'asked_questions',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** As it was asked first. */
    text: text('text').notNull(),
    /** Its telling words by their stems, against which another wording is held. */
    terms: text('terms').array().notNull(),
    createdAt: createdAt(),
    /** When an admin saw to it; unanswered again after that, it is open again. */
    solvedAt: instant('solved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    // Few are; the others need not be looked at.
    index('asked_questions_solved').on(t.companyId, t.id).where(sql`solved_at is not null`),
    ofCompany(),
  ],
);

/**
 * Which questions have a telling word. A table, since below row-level security no index on an array is used: its
 * operators are none that PostgreSQL would let see another company's rows.
 */
export const questionTerms = pgTable(
  'question_terms',
  {
    companyId: companyId(),
    term: text('term').notNull(),
    askedQuestionId: uuid('asked_question_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.term, t.askedQuestionId] }),
    foreignKey({
      name: 'question_terms_question_fk',
      columns: [t.companyId, t.askedQuestionId],
      foreignColumns: [askedQuestions.companyId, askedQuestions.id],
    }).onDelete('cascade'),
    index('question_terms_question').on(t.companyId, t.askedQuestionId),
    ofCompany(),
  ],
);

/** Wordings whose question is known, so that asking in the same words again takes one look. */
export const questionWordings = pgTable(
  'question_wordings',
  {
    companyId: companyId(),
    /** sha-256 of its terms, hex. */
    hash: text('hash').notNull(),
    askedQuestionId: uuid('asked_question_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.hash] }),
    foreignKey({
      name: 'question_wordings_question_fk',
      columns: [t.companyId, t.askedQuestionId],
      foreignColumns: [askedQuestions.companyId, askedQuestions.id],
    }).onDelete('cascade'),
    index('question_wordings_question').on(t.companyId, t.askedQuestionId),
    ofCompany(),
  ],
);

/** In which time zone the days of a company's aggregates begin; another than the company's: they are made anew. */
export const analyticsStates = pgTable(
  'analytics_states',
  { companyId: companyId().primaryKey(), timeZone: text('time_zone').notNull() },
  () => [ofCompany()],
);

const day = () => date('day', { mode: 'string' }).notNull();
const times = (name: string) => integer(name).notNull();

export const analyticsDays = pgTable(
  'analytics_days',
  {
    companyId: companyId(),
    day: day(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    helpful: times('helpful'),
    notHelpful: times('not_helpful'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day] }), ofCompany()],
);

export const analyticsHours = pgTable(
  'analytics_hours',
  {
    companyId: companyId(),
    day: day(),
    /** 0 to 23, on the company's clock: where it is put back, one hour has the questions of two. */
    hour: times('hour'),
    asked: times('asked'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.hour] }), ofCompany()],
);

/** How many answers took how long: medians cannot be added up over days, and counts can. */
export const analyticsSpeeds = pgTable(
  'analytics_speeds',
  {
    companyId: companyId(),
    day: day(),
    /** Of the durations from `1.1 ^ step` to `1.1 ^ (step + 1)` milliseconds. */
    step: times('step'),
    asked: times('asked'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.step] }), ofCompany()],
);

export const analyticsPeople = pgTable(
  'analytics_people',
  {
    companyId: companyId(),
    day: day(),
    /** No reference: people go, what was asked stays. */
    userId: uuid('user_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    rated: times('rated'),
    lastAskedAt: instant('last_asked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.userId] }), ofCompany()],
);

export const analyticsQuestions = pgTable(
  'analytics_questions',
  {
    companyId: companyId(),
    day: day(),
    askedQuestionId: uuid('asked_question_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    lastAskedAt: instant('last_asked_at').notNull(),
    lastUnansweredAt: instant('last_unanswered_at'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.askedQuestionId] }), ofCompany()],
);

export const analyticsDocuments = pgTable(
  'analytics_documents',
  {
    companyId: companyId(),
    day: day(),
    /** No reference: a document that is deleted is left out when the aggregates are read. */
    documentId: uuid('document_id').notNull(),
    citations: times('citations'),
    lastCitedAt: instant('last_cited_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.day, t.documentId] }),
    index('analytics_documents_document').on(t.companyId, t.documentId, t.lastCitedAt),
    ofCompany(),
    ofVisibleDocument('analytics_documents'),
  ],
);

const month = () => date('month', { mode: 'string' }).notNull();

/**
 * Months, by their first day, whose days have changed since they were summed up: their sums are not to be read. The
 * month that is under way is always one.
 */
export const analyticsOpenMonths = pgTable('analytics_open_months', { companyId: companyId(), month: month() }, (t) => [
  primaryKey({ columns: [t.companyId, t.month] }),
  ofCompany(),
]);

/** The days of a month that is over, summed up: what has many rows a day is read by the month. */
export const analyticsMonthPeople = pgTable(
  'analytics_month_people',
  {
    companyId: companyId(),
    month: month(),
    userId: uuid('user_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    rated: times('rated'),
    lastAskedAt: instant('last_asked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.month, t.userId] }), ofCompany()],
);

export const analyticsMonthQuestions = pgTable(
  'analytics_month_questions',
  {
    companyId: companyId(),
    month: month(),
    askedQuestionId: uuid('asked_question_id').notNull(),
    asked: times('asked'),
    unanswered: times('unanswered'),
    lastAskedAt: instant('last_asked_at').notNull(),
    lastUnansweredAt: instant('last_unanswered_at'),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.month, t.askedQuestionId] }), ofCompany()],
);

export const analyticsMonthDocuments = pgTable(
  'analytics_month_documents',
  {
    companyId: companyId(),
    month: month(),
    documentId: uuid('document_id').notNull(),
    citations: times('citations'),
    lastCitedAt: instant('last_cited_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.month, t.documentId] }),
    ofCompany(),
    ofVisibleDocument('analytics_month_documents'),
  ],
);

// --- export: a zip file that is nowhere as a whole. Its bytes are put together from these rows when it is sent. ---

/** Of a company's data, or of one person's: of each one at a time. */
export const exports = pgTable(
  'exports',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    /** Whose own data it holds; null: the company's. */
    personId: uuid('person_id'),
    /** No reference: people go, and are told of in the audit log. */
    startedBy: uuid('started_by').notNull(),
    state: text('state', { enum: ['running', 'ready', 'failed'] }).notNull(),
    /** Plain words, where it has failed. */
    reason: text('reason'),
    /** Counted up by every deletion of a document: what was made before holds too much. */
    generation: integer('generation').notNull().default(1),
    isPlanned: boolean('is_planned').notNull().default(false),
    /** Originals, every version of a document being one, and their bytes; and how many of each have been read. */
    documents: integer('documents').notNull().default(0),
    documentsDone: integer('documents_done').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    bytesDone: bigint('bytes_done', { mode: 'number' }).notNull().default(0),
    /** Where the zip's directory begins, which is all that stands behind its entries, and where it ends. */
    directoryOffset: bigint('directory_offset', { mode: 'number' }),
    size: bigint('size', { mode: 'number' }),
    createdAt: createdAt(),
    readyAt: instant('ready_at'),
    expiresAt: instant('expires_at'),
    /** Whoever started it was told that it is ready. */
    isMailed: boolean('is_mailed').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    unique('exports_one_each').on(t.companyId, t.personId).nullsNotDistinct(),
    ofCompany(),
  ],
);

export const exportEntries = pgTable(
  'export_entries',
  {
    companyId: companyId(),
    exportId: uuid('export_id').notNull(),
    /** Its place in the zip. The lists, which are made last, stand first: their numbers are negative. */
    index: integer('index').notNull(),
    /** In the zip: `documents/Contracts/Lease.pdf`. */
    path: text('path').notNull(),
    /** Of an original; null for a list. */
    documentId: uuid('document_id'),
    version: integer('version'),
    /** Of an original in the object store, of a list in that of exports. */
    objectKey: text('object_key').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Bytes as they stand in the zip: fewer than `size` where it is deflated. */
    storedSize: bigint('stored_size', { mode: 'number' }).notNull(),
    isDeflated: boolean('is_deflated').notNull().default(false),
    modifiedAt: instant('modified_at').notNull(),
    /** Null until it has been read. */
    crc32: bigint('crc32', { mode: 'number' }),
    /** Where its header begins; null until all have been read. */
    offset: bigint('offset', { mode: 'number' }),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.exportId, t.index] }),
    foreignKey({
      name: 'export_entries_export_fk',
      columns: [t.companyId, t.exportId],
      foreignColumns: [exports.companyId, exports.id],
    }).onDelete('cascade'),
    index('export_entries_offset').on(t.companyId, t.exportId, t.offset),
    index('export_entries_document').on(t.companyId, t.documentId).where(sql`document_id is not null`),
    ofCompany(),
  ],
);
