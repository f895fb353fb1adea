import { secondFactorKinds, signInMethods } from '#contract/sign-in.ts';
import { bigint, boolean, foreignKey, index, pgTable, primaryKey, sql, text, uniqueIndex, uuid } from '../drizzle.ts';
import { bytes, createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { ofCompany } from './policies.ts';

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
