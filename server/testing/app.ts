import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#client/client.ts';
import type { CallInput, CallMessage, CallName, CallOutput } from '#contract/calls.ts';
import type { Subscription } from '#contract/entitlements.ts';
import type { Role } from '#contract/permissions.ts';
import { createApp } from '#server/app.ts';
import type { App, AppOptions } from '#server/app-options.ts';
import type { Config } from '#server/config/config.ts';
import { createLog } from '#server/http/log.ts';
import { nothingAllowed } from '#server/lib/public-address.ts';
import { holdToDocument } from './as-documented.ts';
import { confirmSignUps, goodPassword, insertUser, uniqueEmail, writeSubscription } from './factories.ts';
import { noteFinding } from './findings.ts';
import { addressOf } from './outside-postgres.ts';
import { createTestDatabase } from './postgres.ts';
import { rates } from './rates.ts';

export interface Person {
  uid: string;
  email: string;
  password: string;
  token: string;
}

/**
 * The real app on a port of its own, with a database and a data folder of its own. A test fails in which it answers a
 * call otherwise than the API document says.
 */
export interface TestApp {
  url: string;
  app: App;
  config: Config;
  /** Makes a call. @throws AppError as the browser's client would. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>, as?: { token?: string }): Promise<CallOutput<Name>>;
  /** Makes a call as a stream. @throws AppError of the stream's last line. */
  stream<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    as?: { token?: string },
  ): Promise<{ messages: CallMessage<Name>[]; result: CallOutput<Name> }>;
  /** fetch below the app's address; a link that begins with the public address is taken to it. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A new company with its admin. */
  signUp(
    input?: Partial<CallInput<'signUp'>>,
  ): Promise<{ company: { id: string; name: string }; admin: Person; token: string }>;
  /** One more person, signed in. */
  addMember(company: { id: string }, person?: { role?: Role; email?: string }): Promise<Person>;
  setSubscription(companyId: string, subscription: Partial<Subscription> & Pick<Subscription, 'state'>): Promise<void>;
  /** Resolves when no job is waiting or running. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** So many calls of each kind in a minute, for one person and, unless said otherwise, a company. */
export function callRates(perPerson: number, perCompany = perPerson): Config['callRates'] {
  const rate = { perPerson, perCompany };
  return { question: rate, search: rate, read: rate, change: rate, piece: rate };
}

const searchSizes = { searchCacheBytes: 1e9, searchMemory: { words: 1e8, tables: 2e8 } };

export async function startTestApp(overrides: Partial<Config> = {}, options: AppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-app-'));
  const config: Config = {
    port: 0,
    role: 'all',
    drainSeconds: 0,
    databaseConnections: 16,
    host: '127.0.0.1',
    dataDir,
    publicUrl: 'http://footnote.localhost',
    databaseUrl: addressOf(database.connection),
    production: false,
    logLevel: 'warn',
    billing: 'off',
    trialDays: 0,
    signup: 'open',
    maxFileBytes: 50 * 1024 * 1024,
    companyStorageBytes: 50e9,
    minFreeDiskBytes: 0,
    ...searchSizes,
    bucket: 'footnote',
    ocrLanguages: ['eng'],
    branding: { name: 'Footnote' },
    brandHosts: new Map(),
    linksNotSet: [],
    rates,
    maxStreamsPerPerson: 50,
    maxConnectionsPerAddress: { max: null, ownMachineToo: false },
    callRates: callRates(10_000),
    auditDays: 400,
    erasureLedger: join(dataDir, 'erased.txt'),
    outboundAllowed: nothingAllowed,
    trustProxy: false,
    ...overrides,
  };
  const app = await createApp(config, {
    log: createLog(process.env.LOG_LEVEL ?? config.logLevel),
    // At once, so that `idle` waits for it.
    searchUpkeep: { eraseAfterSeconds: 0, optimizeAfterSeconds: 0 },
    simulator: { settings: { redeliveryMs: () => 50 } },
    ...options,
  });
  await confirmSignUps(app.db);
  holdToDocument(app.http.server, noteFinding);
  const url = await app.listen();

  const test: TestApp = {
    url,
    app,
    config,

    call: (callName, input, { token } = {}) => createClient(url, token).call(callName, input),

    async stream(callName, input, { token } = {}) {
      const messages: CallMessage<typeof callName>[] = [];
      const result = await createClient(url, token).stream(callName, input, (message) => messages.push(message));
      return { messages, result };
    },

    fetch: (path, init) => fetch(path.startsWith('/') ? url + path : path.replace(config.publicUrl, url), init),

    async signUp(input = {}) {
      const companyName = input.companyName ?? 'Example Company';
      const email = input.email ?? uniqueEmail('admin');
      const password = input.password ?? goodPassword;
      const session = await test.call('signUp', { ...input, companyName, email, password });
      const { uid, companyId } = session.user;
      const admin = { uid, email: session.user.email, password, token: session.idToken };
      return { company: { id: companyId, name: companyName }, admin, token: session.idToken };
    },

    async addMember(company, person) {
      const { uid, email } = await insertUser(app.db, company.id, person);
      const { idToken } = await test.call('signIn', { email, password: goodPassword });
      return { uid, email, password: goodPassword, token: idToken };
    },

    setSubscription: (companyId, subscription) => writeSubscription(app.db, companyId, subscription),
    idle: () => app.jobs.idle(),

    async close() {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };

  return test;
}
