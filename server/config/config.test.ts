import { expect, test } from 'vitest';
import { problemsOf } from '#server/testing/config-problems.ts';
import { configuration, readConfig } from './config.ts';

const mailServer = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' };

test('Contact Sales always has an address', () => {
  const salesEmailOf = (env: Record<string, string>) =>
    readConfig({ BILLING: 'off', ...mailServer, ...env }).branding.salesEmail;
  const PUBLIC_URL = 'https://docs.acme.example:8443';
  expect(salesEmailOf({ PUBLIC_URL })).toBe('sales@docs.acme.example');
  expect(salesEmailOf({ PUBLIC_URL, SALES_EMAIL: 'us@acme.example' })).toBe('us@acme.example');
});

test('links that buyers would miss are named where something is sold', () => {
  expect(readConfig({}).linksNotSet).toEqual(['SALES_EMAIL', 'TERMS_URL', 'SOCIAL_URL']);
  expect(readConfig({ TERMS_URL: 'https://acme.example/terms' }).linksNotSet).toEqual(['SALES_EMAIL', 'SOCIAL_URL']);
  expect(readConfig({ BILLING: 'off' }).linksNotSet).toEqual([]);
});

test('needs nothing', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: 'localhost',
    dataDir: `${process.cwd()}/data`,
    publicUrl: 'http://localhost:3000',
    billing: 'stripe',
    trialDays: 0,
    signup: 'open',
    maxFileBytes: 500 * 1024 * 1024,
    bucket: 'footnote',
    ocrLanguages: ['eng', 'deu', 'fra', 'spa'],
    branding: { name: 'Footnote', salesEmail: 'sales@localhost' },
    trustProxy: false,
    production: false,
  });
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is missing: SMTP_URL needs it.'],
  [{ MAIL_FROM: 'a@example.com' }, 'SMTP_URL is missing: MAIL_FROM is of no use without it.'],
  [
    { NODE_ENV: 'production', BILLING: 'off' },
    expect.stringMatching(/^SMTP_URL and MAIL_FROM are missing: in production/),
  ],
  [
    { PUBLIC_URL: 'https://docs.example.com', BILLING: 'off' },
    expect.stringMatching(/^SMTP_URL and MAIL_FROM are missing: PUBLIC_URL is not this machine/),
  ],
  [
    { PUBLIC_URL: 'http://192.168.1.7:3000', BILLING: 'off', HOST: '0.0.0.0' },
    expect.stringMatching(/^SMTP_URL and MAIL_FROM are missing: PUBLIC_URL is not this machine/),
  ],
])('refuses half a way to send mails, and none in production or at a public address: %o', (env, problem) => {
  expect(problemsOf(env)).toEqual([problem]);
});

test.each(['mail.example.com', 'https://mail.example.com', 'smtp:'])('refuses %s as a mail server', (url) => {
  expect(problemsOf({ SMTP_URL: url, MAIL_FROM: 'a@example.com' })[0]).toMatch(/^SMTP_URL must be/);
});

test.each(['a', 'a@b@c', 'a@example.com, b@example.com', 'A <a@example.com>\r\nBcc: b@example.com', '<a@example.com'])(
  'refuses %j as a sender',
  (from) => {
    expect(problemsOf({ SMTP_URL: 'smtp://localhost', MAIL_FROM: from })[0]).toMatch(/^MAIL_FROM must be/);
  },
);

test('takes a mail server and a sender, and keeps the password of a wrong one to itself', () => {
  const SMTP_URL = 'smtps://us%40example.com:p%40ss@mail.example.com:465';
  const MAIL_FROM = 'Footnote <no-reply@example.com>';
  const { smtp } = readConfig({ SMTP_URL, MAIL_FROM, NODE_ENV: 'production', BILLING: 'off' });
  expect(smtp).toEqual({ url: SMTP_URL, from: MAIL_FROM });
  const [problem] = problemsOf({ SMTP_URL: 'http://us:secret@mail.example.com', MAIL_FROM });
  expect(problem).not.toContain('secret');
});

test('takes what is set, and an empty variable as not set', () => {
  const config = readConfig({
    PORT: '8080',
    PUBLIC_URL: 'https://docs.example.com/',
    BILLING: 'off',
    SIGNUP: 'open',
    DATA_DIR: '/x y/ü',
    LOGO_URL: ' ',
    ...mailServer,
  });
  expect(config).toMatchObject({
    port: 8080,
    publicUrl: 'https://docs.example.com',
    signup: 'open',
    dataDir: '/x y/ü',
  });
  expect(config.branding.logoUrl).toBeUndefined();
  expect(readConfig(ownDatabase)).toMatchObject({ databaseUrl: ownDatabase.DATABASE_URL, role: 'all' });
});

const ownDatabase = { DATABASE_URL: 'postgres://u:p@db.example.com:5432/footnote', BILLING: 'off' };

test.each(['web', 'worker'])(
  "takes ROLE=%s with a database of one's own, and refuses it with the embedded one",
  (ROLE) => {
    expect(readConfig({ ...ownDatabase, ROLE })).toMatchObject({ role: ROLE });
    expect(problemsOf({ ROLE })).toEqual([
      `DATABASE_URL is missing: ROLE=${ROLE} needs it, since the embedded database has one process.`,
    ]);
  },
);

test('takes no simulator of payments where there may be several processes', () => {
  const { DATABASE_URL } = ownDatabase;
  expect(problemsOf({ DATABASE_URL })).toEqual([
    expect.stringContaining('the simulator in their place is of one process'),
  ]);
});

test('takes host names of companies, in any letters', () => {
  const [one, other] = ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '6f9619ff-8b86-4d01-b42d-00cf4fc96400'];
  const { brandHosts } = readConfig({ BRAND_HOSTS: `Wissen.Nordwind.example=${one} , docs.acme.example = ${other},` });
  expect([...brandHosts]).toEqual([
    ['wissen.nordwind.example', one],
    ['docs.acme.example', other],
  ]);
  expect(readConfig({}).brandHosts.size).toBe(0);
  for (const wrong of [`a.example=${one},a.example=${other}`, 'a.example', `https://a.example=${one}`, `a.example=x`])
    expect(problemsOf({ BRAND_HOSTS: wrong })[0]).toMatch(/^BRAND_HOSTS must be host=company id/);
});

test('names all problems at once, in plain words', () => {
  const problems = problemsOf({
    PORT: 'http',
    SIGNUP: 'yes',
    MAX_FILE_MB: '0',
    PUBLIC_URL: 'docs.example.com',
    SALES_EMAIL: 'x',
  });
  expect(problems).toEqual([
    'PORT must be a number. It is "http".',
    'PUBLIC_URL must be a web address (http:// or https://). It is "docs.example.com".',
    'SIGNUP must be open or first. It is "yes".',
    'MAX_FILE_MB must be at least 1. It is "0".',
    'SALES_EMAIL must be an e-mail address. It is "x".',
  ]);
});

const key = { STRIPE_SECRET_KEY: 'sk_test_1' };
const secret = { STRIPE_WEBHOOK_SECRET: 'whsec_1' };

test('takes payment on the simulator of this machine, or on an account with key and secret', () => {
  expect(readConfig({}).stripe).toBeUndefined();
  expect(readConfig({ PUBLIC_URL: 'http://footnote.localhost:3000' }).stripe).toBeUndefined();
  const earnest = { STRIPE_SECRET_KEY: 'sk_live_1', ...secret, ...mailServer, PUBLIC_URL: 'https://docs.example.com' };
  expect(readConfig(earnest).stripe).toEqual({ secretKey: 'sk_live_1', webhookSecret: 'whsec_1' });
  const addressOf = (STRIPE_HOST: string) => readConfig({ ...key, ...secret, STRIPE_HOST }).stripe?.address;
  expect(addressOf('localhost:12111')).toEqual({ host: 'localhost', port: 12111 });
  // As a connection is opened to it: a name with brackets is looked for in vain.
  expect(addressOf('[::1]:12111')).toEqual({ host: '::1', port: 12111 });
  expect(addressOf('127.0.0.1:80')).toEqual({ host: '127.0.0.1', port: 80 });
  expect(readConfig({ ...earnest, BILLING: 'off' })).toMatchObject({ billing: 'off', signup: 'first' });
  expect(readConfig({ ...earnest, BILLING: 'off' }).stripe).toBeUndefined();
});

const onlyHere = expect.stringMatching(/the simulator in their place is for this machine only/);
test.each([
  [key, 'STRIPE_WEBHOOK_SECRET is missing: STRIPE_SECRET_KEY needs it.'],
  [secret, 'STRIPE_SECRET_KEY is missing: STRIPE_WEBHOOK_SECRET and STRIPE_HOST need it.'],
  [{ PUBLIC_URL: 'https://docs.example.com', ...mailServer }, onlyHere],
  [{ NODE_ENV: 'production', ...mailServer }, onlyHere],
  [
    { STRIPE_SECRET_KEY: 'sk_live_1', ...secret, STRIPE_HOST: 'localhost:1' },
    'STRIPE_HOST takes only a key that begins with sk_test_.',
  ],
])('refuses half a way to be paid, and the simulator where people pay: %o', (env, problem) => {
  expect(problemsOf(env)).toEqual([problem]);
});

test('keeps a wrong key to itself', () => {
  const problems = problemsOf({ STRIPE_SECRET_KEY: 'pk-live-secret', STRIPE_WEBHOOK_SECRET: 'hook-secret' });
  expect(problems).toHaveLength(2);
  expect(problems.join()).not.toContain('secret"');
});

test.each(['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'BUCKET', 'LOG_LEVEL'])('refuses nonsense in %s', (name) => {
  expect(problemsOf({ [name]: '§ nonsense §' })).toHaveLength(1);
});

test.each<Record<string, string>>([
  { DATABASE_URL: 'mysql://user:hunter2@db/x' },
  // As a generator of passwords may make them: the address is wrong because of what stands in the password.
  { DATABASE_URL: 'postgres://user:p/hunter2@db/x' },
  { DATABASE_URL: 'postgres://user:p@/hunter2@db/x' },
  { DATABASE_URL: 'user:hunter2@db/x' },
  { SMTP_URL: 'smtps://user:p/hunter2@mail.example.com', MAIL_FROM: 'a@example.com' },
  { BACKUP_PASSPHRASE: 'hunter2' },
])('does not show the password in what is wrong: %o', (env) => {
  const problems = problemsOf(env);
  expect(problems).toHaveLength(1);
  expect(problems.join()).not.toContain('hunter2');
});

test('takes an outside identity provider whole, or not at all', () => {
  expect(problemsOf({ IDENTITY: 'identity-toolkit' })).toEqual([
    'IDENTITY_PROJECT is missing: identity-toolkit needs it.',
    'IDENTITY_API_KEY is missing: identity-toolkit needs it.',
    'IDENTITY_SERVICE_ACCOUNT is missing: identity-toolkit needs it.',
  ]);
  expect(problemsOf({ IDENTITY_PROJECT: 'ours' })).toEqual(['IDENTITY_PROJECT is only for IDENTITY=identity-toolkit.']);
  const google = { IDENTITY: 'identity-toolkit', IDENTITY_PROJECT: 'ours', IDENTITY_API_KEY: 'k' };
  expect(problemsOf({ ...google, IDENTITY_SERVICE_ACCOUNT: import.meta.filename })).toHaveLength(1);
  const emulator = { ...google, IDENTITY_EMULATOR_URL: 'http://127.0.0.1:9099/' };
  expect(readConfig(emulator).identityToolkit).toEqual({
    projectId: 'ours',
    apiKey: 'k',
    emulatorUrl: 'http://127.0.0.1:9099',
  });
});

test.each([
  [{ NODE_ENV: 'production' }],
  [{ IDENTITY_EMULATOR_URL: 'http://auth.example.com:9099' }],
  [{ IDENTITY_EMULATOR_URL: 'http://localhost.example.com' }],
  [{ IDENTITY_EMULATOR_URL: 'http://0.0.0.0:9099' }],
  [{ IDENTITY: 'embedded' }],
])('takes unsigned tokens from this machine alone, and never in production: %o', (env) => {
  const emulator = {
    IDENTITY: 'identity-toolkit',
    IDENTITY_PROJECT: 'ours',
    IDENTITY_EMULATOR_URL: 'http://[::1]:9099',
  };
  expect(problemsOf(emulator)).toEqual([]);
  expect(problemsOf({ ...emulator, ...env }).join()).toContain('IDENTITY_EMULATOR_URL');
});

test.each(['off', 'on', '1', '203.0.113.7', '10.0.0.0/8, ::1', 'loopback,2001:db8::/32'])('believes %s', (written) => {
  expect(problemsOf({ TRUST_PROXY: written })).toEqual([]);
});

test.each(['yes', '-1', '1000', 'proxy.example.com', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', '10.0.0.1,'])(
  'does not know whom to believe by %s',
  (written) => expect(problemsOf({ TRUST_PROXY: written })[0]).toMatch(/^TRUST_PROXY must be off, on, a number/),
);

test('takes no token that could be guessed, and keeps it to itself', () => {
  expect(readConfig({ METRICS_TOKEN: 'a-token-of-24-characters' }).metricsToken).toBe('a-token-of-24-characters');
  expect(problemsOf({ METRICS_TOKEN: 'short' })[0]).toBe('METRICS_TOKEN must have at least 16 characters. It is "…".');
});

test('describes every variable', () => {
  for (const { name, description } of configuration) {
    expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(description).toMatch(/\.$/);
  }
  expect(configuration.find(({ name }) => name === 'PORT')?.default).toBe('3000');
});

test('a place for search tables is read with the store of files, and must be one of its own', () => {
  const store = { BILLING: 'off', S3_ENDPOINT: 'https://objects.example.com' };
  const { searchPlace, searchCacheBytes, searchMemory, files } = readConfig({
    ...store,
    SEARCH_URL: 's3://tables/search',
    SEARCH_CACHE_GB: '0.5',
    SEARCH_MEMORY_MB: '300',
  });
  const place = { bucket: 'tables', prefix: 'search/', endpoint: 'https://objects.example.com', region: 'us-east-1' };
  expect([searchPlace, searchCacheBytes, searchMemory, files]).toEqual([
    { ...place, setting: 'SEARCH_URL', encryption: undefined },
    5e8,
    { words: 150 * 2 ** 20, tables: 150 * 2 ** 20 },
    undefined,
  ]);
  expect(problemsOf({ SEARCH_URL: 'https://tables' })[0]).toMatch(/^SEARCH_URL must be like s3:\/\/bucket/);
  expect(problemsOf({ ...store, SEARCH_URL: 's3://tables', SEARCH_CACHE_GB: '0' })[0]).toMatch(/^SEARCH_CACHE_GB must/);
  expect(problemsOf({ ...store, SEARCH_URL: 's3://tables', SEARCH_MEMORY_MB: '8' })[0]).toMatch(
    /^SEARCH_MEMORY_MB must/,
  );
  for (const [one, other] of [
    ['s3://abc/b', 's3://abc/b'],
    ['s3://abc', 's3://abc/b'],
    ['s3://abc/b/c', 's3://abc/b'],
  ] as const)
    expect(problemsOf({ ...store, FILES_URL: one, SEARCH_URL: other })).toEqual([
      'SEARCH_URL must be a place of its own: neither it nor FILES_URL may lie in the other.',
    ]);
  expect(problemsOf({ ...store, FILES_URL: 's3://abc/b', SEARCH_URL: 's3://abc/bc' })).toEqual([]);
  expect(problemsOf(store)).toEqual([
    'FILES_URL or SEARCH_URL is missing: S3_ENDPOINT is of no use without one of them.',
  ]);
});
