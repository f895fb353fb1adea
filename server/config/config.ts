import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import type { Branding } from '#contract/calls/identity.ts';
import { googleAccount } from '#server/lib/google-account.ts';
import { nothingAllowed, type OutboundAllowed, outboundAllowed } from '#server/lib/public-address.ts';
import type { ToolkitOptions } from '#server/ports/identity/identity-toolkit/rest.ts';
import { type BrandHosts, brandHosts } from './brand-hosts.ts';
import { environment, isLoopback, type logLevels } from './environment.ts';
import { type FilesConfig, filesConfig } from './files.ts';
import { type ModelConfig, modelConfig } from './models.ts';
import type { CallRates, Rates } from './rates.ts';
import { stripeHost } from './stripe-host.ts';
import { type TracesConfig, tracesConfig } from './traces.ts';

/** What the operator decides, read once at start. */
export interface Config extends ModelConfig, FilesConfig {
  /** 0 lets the system choose. */
  port: number;
  host: string;
  /** What of the service this process is. */
  role: 'all' | 'web' | 'worker';
  /** At a stop, how long everything is still answered. */
  drainSeconds: number;
  /** Absolute path; everything embedded lives below it. */
  dataDir: string;
  /** The origin that browsers see, without a slash at the end. */
  publicUrl: string;
  /** Seals secrets in the database. Absent: a file below `dataDir`, made at the first start. */
  secretKey?: string | undefined;
  /** The one before, which still opens. */
  secretKeyBefore?: string | undefined;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl?: string;
  /** Of the pool that calls and jobs share. */
  databaseConnections: number;
  /** Absent: the embedded identity provider. */
  identityToolkit?: ToolkitOptions;
  /** Absent: mails are not sent, but can be read on this machine; never absent in production. */
  smtp?: { url: string; from: string };
  production: boolean;
  logLevel: (typeof logLevels)[number];
  billing: 'off' | 'stripe';
  /** Absent: with `billing` stripe, the simulator that starts with the service. */
  stripe?: { secretKey: string; webhookSecret: string; address?: { host: string; port: number } };
  /** 0: no trial. */
  trialDays: number;
  signup: 'open' | 'first';
  maxFileBytes: number;
  /** What one company may store, unfinished uploads included. */
  companyStorageBytes: number;
  /** Of the disk that stays free: below it uploads are refused. */
  minFreeDiskBytes: number;
  bucket: string;
  /** Languages of text in pictures, as Tesseract names them. */
  ocrLanguages: string[];
  branding: Branding;
  /** Names under which a company's people come, beside the public address. */
  brandHosts: BrandHosts;
  /** Links of the public pages that nobody has set: buyers miss them. None where nothing is sold. */
  linksNotSet: readonly string[];
  /** Streams that one person may have open at once, in this process. */
  maxStreamsPerPerson: number;
  /** Null: any number. Of this machine itself only where it was set, since a proxy may run there. */
  maxConnectionsPerAddress: { max: number | null; ownMachineToo: boolean };
  rates: Rates;
  callRates: CallRates;
  /** How long the audit log goes back. */
  auditDays: number;
  /** What seals a backup. */
  backupPassphrase?: string | undefined;
  /** The file of what was deleted, for restores. Absolute path. */
  erasureLedger: string;
  /** As Fastify takes it: all or none, addresses with commas between, or a choice by the number of hops. */
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
  /** What of the operator's own network companies may name. */
  outboundAllowed: OutboundAllowed;
  /** Absent: that of the system. */
  dnsServer?: string | undefined;
  /** Absent: only this machine may see /metrics and the details of /readyz. */
  metricsToken?: string | undefined;
  /** Absent: nobody collects traces. */
  traces?: TracesConfig;
}

/** Every variable, for `docs/configuration.md`. */
export const configuration: { name: string; default: string; description: string }[] = Object.entries(
  environment.shape,
).map(([name, schema]) => {
  const usual = schema.safeParse(undefined).data;
  return { name, default: usual === undefined ? '' : String(usual), description: schema.description ?? '' };
});

/** Refuses to start, with everything that is wrong. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the environment; an empty variable counts as not set.
 * @throws ConfigError naming all problems at once.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const written = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(written);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path: [name], message }) => {
        return `${String(name)} ${message}. It is "${shown(String(name), String(written[String(name)] ?? ''))}".`;
      }),
    );
  }
  const values = parsed.data;
  const problems: string[] = [];
  const identityToolkit = toolkitOptions(values, problems);
  const smtp = smtpOptions(values, problems);
  const models = modelConfig(values, problems);
  const files = filesConfig(values, problems);
  const traces = tracesConfig(values, problems);
  const stripe = stripeOptions(values, problems);
  if (values.SECRET_KEY === undefined && values.SECRET_KEY_BEFORE !== undefined)
    problems.push('SECRET_KEY is missing: SECRET_KEY_BEFORE is of no use without it.');
  if (values.ROLE !== 'all' && values.DATABASE_URL === undefined)
    problems.push(
      `DATABASE_URL is missing: ROLE=${values.ROLE} needs it, since the embedded database has one process.`,
    );
  if (problems.length > 0) throw new ConfigError(problems);
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`);
  return {
    ...models,
    ...files,
    ...(identityToolkit && { identityToolkit }),
    ...(smtp && { smtp }),
    ...(stripe && { stripe }),
    port: values.PORT,
    host: values.HOST,
    role: values.ROLE,
    drainSeconds: values.DRAIN_SECONDS,
    databaseConnections: values.DATABASE_CONNECTIONS,
    dataDir: resolve(values.DATA_DIR),
    publicUrl: publicUrl.origin,
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    secretKeyBefore: values.SECRET_KEY_BEFORE,
    production: values.NODE_ENV === 'production',
    logLevel: values.LOG_LEVEL,
    billing: values.BILLING,
    trialDays: values.TRIAL_DAYS,
    signup: values.SIGNUP ?? (values.BILLING === 'off' ? 'first' : 'open'),
    maxFileBytes: values.MAX_FILE_MB * 1024 * 1024,
    companyStorageBytes: Math.floor(values.COMPANY_STORAGE_GB * 1e9),
    minFreeDiskBytes: values.MIN_FREE_DISK_MB * 1024 * 1024,
    bucket: values.BUCKET,
    ocrLanguages: values.OCR_LANGS.split(',').map((code) => code.trim()),
    branding: {
      name: values.BRAND_NAME,
      logoUrl: values.LOGO_URL,
      marketingUrl: values.MARKETING_URL,
      pricingUrl: values.PRICING_URL,
      termsUrl: values.TERMS_URL,
      socialUrl: values.SOCIAL_URL,
      salesEmail: values.SALES_EMAIL ?? `sales@${publicUrl.hostname}`,
    },
    brandHosts: brandHosts(values.BRAND_HOSTS) ?? new Map(),
    linksNotSet: (['SALES_EMAIL', 'TERMS_URL', 'SOCIAL_URL'] as const).filter(
      (name) => values.BILLING !== 'off' && values[name] === undefined,
    ),
    maxStreamsPerPerson: values.STREAMS_PER_PERSON,
    maxConnectionsPerAddress: {
      max: values.MAX_CONNECTIONS_PER_ADDRESS === 0 ? null : (values.MAX_CONNECTIONS_PER_ADDRESS ?? 500),
      ownMachineToo: values.MAX_CONNECTIONS_PER_ADDRESS !== undefined,
    },
    rates: {
      uploadsPerMinute: values.UPLOADS_PER_MINUTE,
      signUpsPerHour: values.SIGNUPS_PER_HOUR,
      signInsPerAddress: values.SIGN_INS_PER_ADDRESS,
      signInsPerAccount: values.SIGN_INS_PER_ACCOUNT,
      resetsPerHour: values.RESETS_PER_HOUR,
      codesPerAddress: values.CODES_PER_ADDRESS,
      invitationsPerHour: values.INVITATIONS_PER_HOUR,
      refreshesPerMinute: values.REFRESHES_PER_MINUTE,
      appRegistrationsPerHour: values.APP_REGISTRATIONS_PER_HOUR,
      appRequestsPerMinute: values.APP_REQUESTS_PER_MINUTE,
    },
    callRates: {
      question: { perPerson: values.QUESTIONS_PER_MINUTE, perCompany: values.COMPANY_QUESTIONS_PER_MINUTE },
      search: { perPerson: values.SEARCHES_PER_MINUTE, perCompany: values.COMPANY_SEARCHES_PER_MINUTE },
      read: { perPerson: values.READS_PER_MINUTE, perCompany: values.COMPANY_READS_PER_MINUTE },
      change: { perPerson: values.CHANGES_PER_MINUTE, perCompany: values.COMPANY_CHANGES_PER_MINUTE },
      piece: { perPerson: values.UPLOAD_REQUESTS_PER_MINUTE, perCompany: values.COMPANY_UPLOAD_REQUESTS_PER_MINUTE },
    },
    auditDays: values.AUDIT_DAYS,
    backupPassphrase: values.BACKUP_PASSPHRASE,
    erasureLedger: resolve(values.ERASURE_LEDGER ?? join(values.DATA_DIR, 'erased.txt')),
    trustProxy: proxies(values.TRUST_PROXY),
    outboundAllowed: outboundAllowed(values.OUTBOUND_ALLOW) ?? nothingAllowed,
    dnsServer: values.DNS_SERVER,
    metricsToken: values.METRICS_TOKEN,
    ...traces,
  };
}

/** What of a wrong setting may stand in a log: a wrong key may be a right one with a letter too many. */
function shown(name: string, written: string): string {
  if (/_(SECRET|KEY|TOKEN|HEADERS|PASSPHRASE)/.test(name)) return '…';
  // Before the last @ of an address stands a password, whose / or @ may be what is wrong; behind its ? may be a key.
  const address = /_(URL|ENDPOINT)$/.test(name) ? written.replace(/^(\w+:\/\/)?.*@/s, '$1…@') : written;
  return address.replace(/[?#].*$/s, '?…');
}

/** What identity-toolkit needs, all of it or none; what is missing or too much goes to the problems. */
function toolkitOptions(values: z.infer<typeof environment>, problems: string[]): ToolkitOptions | null {
  const { IDENTITY_PROJECT, IDENTITY_API_KEY, IDENTITY_SERVICE_ACCOUNT, IDENTITY_EMULATOR_URL } = values;
  const given = { IDENTITY_PROJECT, IDENTITY_API_KEY, IDENTITY_SERVICE_ACCOUNT, IDENTITY_EMULATOR_URL };
  if (values.IDENTITY === 'embedded') {
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined) problems.push(`${name} is only for IDENTITY=identity-toolkit.`);
    }
    return null;
  }
  if (IDENTITY_PROJECT === undefined) problems.push('IDENTITY_PROJECT is missing: identity-toolkit needs it.');
  const options: ToolkitOptions = { projectId: IDENTITY_PROJECT ?? '', apiKey: IDENTITY_API_KEY ?? 'emulator' };
  if (IDENTITY_EMULATOR_URL !== undefined) {
    if (values.NODE_ENV === 'production') {
      problems.push('IDENTITY_EMULATOR_URL must not be set in production: whoever reaches it can be anyone.');
    }
    return { ...options, emulatorUrl: new URL(IDENTITY_EMULATOR_URL).origin };
  }
  if (IDENTITY_API_KEY === undefined) problems.push('IDENTITY_API_KEY is missing: identity-toolkit needs it.');
  if (IDENTITY_SERVICE_ACCOUNT === undefined) {
    problems.push('IDENTITY_SERVICE_ACCOUNT is missing: identity-toolkit needs it.');
    return null;
  }
  try {
    const account = googleAccount.parse(JSON.parse(readFileSync(IDENTITY_SERVICE_ACCOUNT, 'utf8')));
    return { ...options, serviceAccount: account };
  } catch {
    problems.push(`IDENTITY_SERVICE_ACCOUNT is not a readable key file. It is "${IDENTITY_SERVICE_ACCOUNT}".`);
    return null;
  }
}

/** Server and sender, both or neither; both in production and at a public address, where no page may show mails. */
function smtpOptions(values: z.infer<typeof environment>, problems: string[]): Config['smtp'] | null {
  const { SMTP_URL: url, MAIL_FROM: from, NODE_ENV } = values;
  if (url !== undefined && from !== undefined) return { url, from };
  if (url !== undefined) problems.push('MAIL_FROM is missing: SMTP_URL needs it.');
  else if (from !== undefined) problems.push('SMTP_URL is missing: MAIL_FROM is of no use without it.');
  else if (NODE_ENV === 'production') {
    problems.push(
      'SMTP_URL and MAIL_FROM are missing: in production, invitations and password resets have to be sent.',
    );
  } else if (!isLoopback(new URL(values.PUBLIC_URL ?? 'http://localhost'))) {
    problems.push(
      'SMTP_URL and MAIL_FROM are missing: PUBLIC_URL is not this machine, so invitations and password resets have to be sent.',
    );
  }
  return null;
}

/**
 * Key and webhook secret, both or neither. The simulator takes anybody's test card, so it is for trying things out
 * alone.
 */
function stripeOptions(values: z.infer<typeof environment>, problems: string[]): Config['stripe'] | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_HOST: host } = values;
  if (values.BILLING === 'off') return null;
  if (secretKey !== undefined && webhookSecret !== undefined) {
    if (host === undefined) return { secretKey, webhookSecret };
    if (!secretKey.startsWith('sk_test_')) problems.push('STRIPE_HOST takes only a key that begins with sk_test_.');
    return { secretKey, webhookSecret, address: stripeHost(host) };
  }
  if (secretKey !== undefined) problems.push('STRIPE_WEBHOOK_SECRET is missing: STRIPE_SECRET_KEY needs it.');
  else if (webhookSecret !== undefined || host !== undefined) {
    problems.push('STRIPE_SECRET_KEY is missing: STRIPE_WEBHOOK_SECRET and STRIPE_HOST need it.');
  } else if (values.NODE_ENV === 'production' || !isLoopback(new URL(values.PUBLIC_URL ?? 'http://localhost'))) {
    problems.push(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing: the simulator in their place is for this machine only. ' +
        'Set them, or BILLING=off to run without payment.',
    );
  } else if (values.DATABASE_URL !== undefined) {
    problems.push(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing: the simulator in their place is of one process, and with DATABASE_URL there may be several. ' +
        'Set them, with STRIPE_HOST for a simulator that runs by itself, or BILLING=off to run without payment.',
    );
  }
  return null;
}

function proxies(written: string): Config['trustProxy'] {
  if (written === 'off' || written === 'false') return false;
  if (written === 'on' || written === 'true') return true;
  return /^\d+$/.test(written) ? (_address, hop) => hop < Number(written) : written;
}
