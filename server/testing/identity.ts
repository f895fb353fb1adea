import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { entitlementsOf } from '#contract/entitlements.ts';
import { AppError } from '#contract/errors.ts';
import type { Role } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';
import { createLimits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import { type Database, openDatabase } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, users } from '#server/db/schema.ts';
import { agentShown } from '#server/features/answers/agent/agent.ts';
import { createKeyAuthentication } from '#server/features/api-keys/authenticate-key.ts';
import { noteFailedSignIn } from '#server/features/audit/audit.ts';
import { subscriptionIn, subscriptionOf } from '#server/features/billing/billing.ts';
import { createAuthenticate } from '#server/features/identity/authenticate.ts';
import { createIdentity, type Identity } from '#server/features/identity/identity.ts';
import { identityJobs } from '#server/features/identity/jobs.ts';
import { createPeople, type People } from '#server/features/identity/people.ts';
import type { Mail } from '#server/features/mail/render.ts';
import { mailTexts } from '#server/features/mail/texts/texts.ts';
import { seatsUsed } from '#server/features/team/seats.ts';
import { type Jobs, openJobs } from '#server/jobs/jobs.ts';
import { createOutbound } from '#server/lib/outbound.ts';
import { nothingAllowed } from '#server/lib/public-address.ts';
import { openSealer } from '#server/lib/sealed.ts';
import { openEmbeddedIdentity } from '#server/ports/identity/embedded.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { secretFor } from '#server/ports/identity/service-keys.ts';
import { confirmSignUps, goodPassword, uniqueEmail } from './factories.ts';
import { createTestDatabase } from './postgres.ts';
import { rates } from './rates.ts';

type Method = Exclude<keyof IdentityProvider, 'name'>;

/** The identity feature alone, on a real database and the embedded provider, with a clock and with faults on demand. */
export interface TestIdentity {
  db: Database;
  identity: Identity;
  people: People;
  jobs: Jobs;
  /** The provider as the feature has it. */
  provider: IdentityProvider;
  /** As for a call from `here`. */
  authenticate: (bearer: string, who?: { enrolling?: boolean }) => Promise<Actor>;
  /** Lets the next use of the method answer `unavailable`: instead of its work, or after it. */
  fail(method: Method, when: 'instead' | 'after'): void;
  /** Where the key lies that secrets are sealed with. */
  keyPlace: { dataDir: string };
  /** What has been mailed, oldest first. */
  mails: Mail[];
  /** Moves the clock on. */
  pass(milliseconds: number): void;
  now(): Date;
  /** Runs what is enqueued and due. */
  work(): Promise<void>;
  /** A new company with its admin. */
  newCompany(email?: string): Promise<{ companyId: string; uid: string; email: string }>;
  /** Someone invited, with their code. */
  invite(companyId: string, role?: Role): Promise<{ uid: string; email: string; code: string }>;
  close(): Promise<void>;
}

/** Where calls come from unless a test says otherwise. */
export const here = { ip: '192.0.2.1', device: undefined, refreshToken: undefined };

/** What each company may do where nobody has to pay. */
export const unbilled = () => entitlementsOf(subscriptionIn(null), new Date(), 'off');

/** What stands around it. No company has a provider of its own. */
const surroundings = {
  seatsUsed,
  subscriptionOf,
  agentShown,
  outbound: createOutbound({ allowed: nothingAllowed }),
  resolveTxt: async () => [],
  requireSeat: async () => {},
};

export async function startTestIdentity(overrides: Partial<Config> = {}): Promise<TestIdentity> {
  const log = pino({ level: 'silent' });
  const database = await createTestDatabase();
  const max = overrides.databaseConnections;
  const db = await openDatabase(database.connection, { name: 'test', log, ...(max !== undefined && { max }) });
  const jobs = await openJobs({ db, log, alone: true });
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const now = () => new Date(clock());
  const config = {
    publicUrl: 'http://footnote.localhost',
    signup: 'open',
    billing: 'off',
    maxFileBytes: 1,
    branding: { name: 'Footnote' },
    brandHosts: new Map(),
    rates,
    ...overrides,
  } as const;
  const { provider, fail } = withFaults(await openEmbeddedIdentity(db, config.publicUrl, clock));
  const mails: Mail[] = [];
  const keyPlace = { dataDir: await mkdtemp(join(tmpdir(), 'footnote-keys-')) };
  const identity = createIdentity({
    db,
    provider,
    jobs,
    limits: createLimits(db, clock),
    config,
    deviceSecret: await secretFor(db, 'device'),
    sendMail: async (_, { to, words }) => void mails.push({ to, ...words(mailTexts.en, 'Footnote') }),
    sealer: await openSealer(keyPlace),
    ...surroundings,
    brandingOf: async () => config.branding,
    brandingAt: async () => config.branding,
    setUpCode: null,
    clock: now,
  });
  await confirmSignUps(db);
  const people = createPeople({ db, provider, jobs, clock: now });
  const byKey = createKeyAuthentication({ db, entitlements: unbilled, secondFactorsAreOurs: true, clock: now });
  const authenticate = createAuthenticate({ db, verifier: provider, entitlements: unbilled, byKey, clock: now });
  const nothing = async () => {};
  let working: Promise<void> | undefined;

  const test: TestIdentity = {
    db,
    identity,
    people,
    jobs,
    provider,
    authenticate: (bearer, who) => authenticate(bearer, { ...here, ...who }),
    fail,
    keyPlace,
    mails,
    pass: (milliseconds) => {
      ahead += milliseconds;
    },
    now,

    async work() {
      working ??= jobs.work({
        'ingest-version': nothing,
        'ingest-long-version': nothing,
        'embed-version': nothing,
        'embed-left-out': nothing,
        'look-for-orders': nothing,
        'erase-document': nothing,
        'erase-upload': nothing,
        'erase-search': nothing,
        'move-in-search': nothing,
        'optimize-search': nothing,
        sweep: nothing,
        'send-mail': nothing,
        'clear-mails': nothing,
        'mail-digests': nothing,
        'mail-invitation': nothing,
        'erase-company': nothing,
        'make-export': nothing,
        'clear-exports': nothing,
        'settle-charging': nothing,
        'end-companies': nothing,
        'end-company': nothing,
        ...identityJobs({ db, provider, jobs, identity, sweepApps: async () => {}, clock: now }),
        'note-failed-sign-in': (job) => noteFailedSignIn(db, job),
        'deliver-webhook': nothing,
        'send-by-hand': nothing,
        'wake-webhooks': nothing,
        'seal-audit': nothing,
        'clear-audit': nothing,
        'count-questions': nothing,
        'erase-questions': nothing,
        'clear-replies': nothing,
        'mail-reports': nothing,
        'sync-subscription': nothing,
        'sync-subscriptions': nothing,
      });
      await working;
      await jobs.idle();
    },

    async newCompany(email = uniqueEmail('admin')) {
      const { session } = await identity.signUp({ companyName: 'Example', email, password: goodPassword }, here);
      return { companyId: session.user.companyId, uid: session.user.uid, email };
    },

    async invite(companyId, role = 'member') {
      const email = uniqueEmail('invited');
      const { uid } = await db.asCompany(companyId, (tx) => people.createInvitedUser(tx, { companyId, email, role }));
      const { code } = await people.inviteCode({ companyId, uid });
      return { uid, email, code };
    },

    async close() {
      await jobs.stop();
      await db.close();
      await database.drop();
      await rm(keyPlace.dataDir, { recursive: true, force: true });
    },
  };
  return test;
}

/** Everyone of an e-mail, in whichever company. */
export async function usersOf({ db }: { db: Database }, email: string): Promise<(typeof users.$inferSelect)[]> {
  return db.asSystem((tx) => tx.select().from(users).where(eq(users.email, email)));
}

export async function companiesNamed({ db }: { db: Database }, name: string): Promise<number> {
  return db.asSystem(async (tx) => (await tx.select().from(companies).where(eq(companies.name, name))).length);
}

/** A provider whose next use of a method can be made to break off, as one at the other end of a network does. */
function withFaults(real: IdentityProvider): Pick<TestIdentity, 'provider' | 'fail'> {
  const faults = new Map<string, 'instead' | 'after'>();
  const provider = new Proxy(real, {
    get(target, name: keyof IdentityProvider) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        const fault = faults.get(name);
        faults.delete(name);
        if (fault === 'instead') throw new AppError('unavailable');
        const result: unknown = await Reflect.apply(method, target, args);
        if (fault === 'after') throw new AppError('unavailable');
        return result;
      };
    },
  });
  return { provider, fail: (method, when) => void faults.set(method, when) };
}
