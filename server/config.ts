import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Branding } from '#contract/calls/identity.ts';
import { serviceAccount, type ToolkitOptions } from './ports/identity/identity-toolkit/rest.ts';

/** What the operator decides, read once at start. */
export interface Config {
  /** 0 lets the system choose. */
  port: number;
  host: string;
  /** Absolute path; everything embedded lives below it. */
  dataDir: string;
  /** The origin that browsers see, without a slash at the end. */
  publicUrl: string;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl?: string;
  /** Absent: the embedded identity provider. */
  identityToolkit?: ToolkitOptions;
  /** Absent: mails are not sent, but can be read on this machine; never absent in production. */
  smtp?: { url: string; from: string };
  production: boolean;
  logLevel: (typeof logLevels)[number];
  billing: 'off' | 'stripe';
  signup: 'open' | 'first';
  maxFileBytes: number;
  bucket: string;
  /** Languages of text in pictures, as Tesseract names them. */
  ocrLanguages: string[];
  branding: Branding;
  rates: Rates;
  /** How long the audit log goes back. */
  auditDays: number;
  /** As Fastify takes it: all or none, addresses with commas between, or a choice by the number of hops. */
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
}

/** How often something may be done. */
export interface Rates {
  /** Per person. */
  questionsPerMinute: number;
  /** Per company. */
  uploadsPerMinute: number;
  /** Per address. */
  signUpsPerHour: number;
  /** Per address, in 15 minutes. */
  signInsPerAddress: number;
  /** Per account and from all browsers that its owner has not used before, in 15 minutes; half of it per address. */
  signInsPerAccount: number;
  /** Per address. */
  resetsPerHour: number;
  /** Codes of mailed links that may be tried from one address in 15 minutes. */
  codesPerAddress: number;
  /** Mails with an invitation, per company. */
  invitationsPerHour: number;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = z.coerce.number('must be a number').int('must be a whole number').min(0).max(65_535, 'is at most 65535');
const count = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const webAddress = z.url({ protocol: /^https?$/, error: 'must be a web address (http:// or https://)' });
const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
const bucketName = /^[a-z0-9][a-z0-9._-]{1,62}$/;

const environment = z.object({
  PORT: port.default(3000).describe('Port to listen on; 0 lets the system choose.'),
  HOST: z.string().default('localhost').describe('Address to listen on; 0.0.0.0 to be reached from other machines.'),
  DATA_DIR: z.string().default('./data').describe('Folder in which everything embedded lives.'),
  PUBLIC_URL: webAddress
    .refine((url) => !URL.canParse(url) || new URL(url).pathname === '/', 'must be an origin, without a path')
    .optional()
    .describe('The address under which browsers reach this service; not set: http://localhost:<PORT>.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/, error: 'must be a postgres:// address' })
    .optional()
    .describe('A PostgreSQL (15 or newer) to use in place of the embedded one.'),
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('development')
    .describe('Set to production where people work with it.'),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('info')
    .describe(`How much is logged: ${logLevels.join(', ')}.`),
  IDENTITY: z
    .enum(['embedded', 'identity-toolkit'], 'must be embedded or identity-toolkit')
    .default('embedded')
    .describe('Who keeps the passwords: embedded, or identity-toolkit (Google Identity Platform, Firebase Auth).'),
  IDENTITY_PROJECT: z.string().optional().describe('With identity-toolkit: the id of the Google project.'),
  IDENTITY_API_KEY: z.string().optional().describe('With identity-toolkit: the web API key of the project.'),
  IDENTITY_SERVICE_ACCOUNT: z
    .string()
    .optional()
    .describe('With identity-toolkit: path of the key file of a service account that may administer its users.'),
  IDENTITY_EMULATOR_URL: webAddress
    .refine((url) => !URL.canParse(url) || isLoopback(new URL(url)), 'must be on this machine (localhost, 127.0.0.1)')
    .optional()
    .describe("Google's Auth emulator in place of the service: takes unsigned tokens, so never in production."),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// address' })
    .optional()
    .describe('Mail server, smtp://user:password@host:587 or smtps://…; not set: mails can be read at /dev/outbox.'),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>"@\r\n]+<[^\s<>"@]+@[^\s<>"@]+>|[^\s<>"@]+@[^\s<>"@]+)$/, 'must be like Name <name@example.com>')
    .optional()
    .describe('Sender of the mails, such as Footnote <no-reply@example.com>.'),
  BILLING: z
    .enum(['off', 'stripe'], 'must be off or stripe')
    .refine((billing) => billing === 'off', 'cannot be stripe: payment is not built yet; use off')
    .default('off')
    .describe('off: self-hosted without payment, every feature is on. stripe: companies pay (not built yet).'),
  SIGNUP: z
    .enum(['open', 'first'], 'must be open or first')
    .optional()
    .describe('Who may create a company: anyone (open) or only the first (first); not set: first when BILLING is off.'),
  MAX_FILE_MB: count
    .max(100_000)
    .default(500)
    .describe('Largest file that can be uploaded, in units of 1024 x 1024 bytes.'),
  BUCKET: z
    .string()
    .regex(bucketName, 'may have small letters, digits, dots, dashes and underscores, 2 to 63 of them')
    .default('footnote')
    .describe('Name of the bucket that file addresses show.'),
  OCR_LANGS: z
    .string()
    .regex(/^ *[a-z]{3}(_[a-z]+)?( *, *[a-z]{3}(_[a-z]+)?)* *$/i, 'must be codes with commas between, as in eng,deu')
    .default('eng,deu,fra,spa')
    .describe(
      'Languages of scanned pages and pictures. For more than the four, install @tesseract.js-data/<code> or the tesseract-ocr-<code> of the system.',
    ),
  BRAND_NAME: z
    .string()
    .max(100, 'is at most 100 characters')
    .default('Footnote')
    .describe('The name the product shows.'),
  LOGO_URL: webAddress.optional().describe('Picture to show as the logo; not set: the name in letters.'),
  MARKETING_URL: webAddress.optional().describe('Where the logo leads; not set: the pricing page.'),
  PRICING_URL: webAddress.optional().describe('Where Pricing leads; not set: the pricing page of the product.'),
  TERMS_URL: webAddress.optional().describe('Terms of service; not set: no such link.'),
  SOCIAL_URL: webAddress.optional().describe('Social profile; not set: no such link.'),
  SALES_EMAIL: z.email('must be an e-mail address').optional().describe('Where Contact Sales writes to.'),
  QUESTIONS_PER_MINUTE: count.default(30).describe('Questions that one person may ask in a minute.'),
  UPLOADS_PER_MINUTE: count.default(200).describe('Uploads that one company may start in a minute.'),
  SIGNUPS_PER_HOUR: count.default(100).describe('Sign-ups that may be tried from one address in an hour.'),
  SIGN_INS_PER_ADDRESS: count.default(300).describe('Sign-ins that may be tried from one address in 15 minutes.'),
  SIGN_INS_PER_ACCOUNT: count
    .default(20)
    .describe('Wrong passwords for one account in 15 minutes, from browsers new to it; one address may use half.'),
  RESETS_PER_HOUR: count.default(60).describe('Password resets that may be asked for from one address in an hour.'),
  CODES_PER_ADDRESS: count.default(100).describe('Codes of mailed links that one address may try in 15 minutes.'),
  INVITATIONS_PER_HOUR: count.default(1000).describe('Invitations that one company may send in an hour.'),
  AUDIT_DAYS: count.max(3650).default(400).describe('Days for which the audit log keeps who did what.'),
  TRUST_PROXY: z
    .string()
    .default('off')
    .describe('Whose X-Forwarded-For is believed: off, on, a number of proxies, or addresses with commas between.'),
});

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
        // What stands before the @ of an address is a password.
        const shown = String(written[String(name)] ?? '').replace(/\/\/[^/]*@/, '//…@');
        return `${String(name)} ${message}. It is "${shown}".`;
      }),
    );
  }
  const values = parsed.data;
  const problems: string[] = [];
  const identityToolkit = toolkitOptions(values, problems);
  const smtp = smtpOptions(values, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...(identityToolkit && { identityToolkit }),
    ...(smtp && { smtp }),
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    publicUrl: new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).origin,
    databaseUrl: values.DATABASE_URL,
    production: values.NODE_ENV === 'production',
    logLevel: values.LOG_LEVEL,
    billing: values.BILLING,
    signup: values.SIGNUP ?? (values.BILLING === 'off' ? 'first' : 'open'),
    maxFileBytes: values.MAX_FILE_MB * 1024 * 1024,
    bucket: values.BUCKET,
    ocrLanguages: values.OCR_LANGS.split(',').map((code) => code.trim()),
    branding: {
      name: values.BRAND_NAME,
      logoUrl: values.LOGO_URL,
      marketingUrl: values.MARKETING_URL,
      pricingUrl: values.PRICING_URL,
      termsUrl: values.TERMS_URL,
      socialUrl: values.SOCIAL_URL,
      salesEmail: values.SALES_EMAIL,
    },
    rates: {
      questionsPerMinute: values.QUESTIONS_PER_MINUTE,
      uploadsPerMinute: values.UPLOADS_PER_MINUTE,
      signUpsPerHour: values.SIGNUPS_PER_HOUR,
      signInsPerAddress: values.SIGN_INS_PER_ADDRESS,
      signInsPerAccount: values.SIGN_INS_PER_ACCOUNT,
      resetsPerHour: values.RESETS_PER_HOUR,
      codesPerAddress: values.CODES_PER_ADDRESS,
      invitationsPerHour: values.INVITATIONS_PER_HOUR,
    },
    auditDays: values.AUDIT_DAYS,
    trustProxy: proxies(values.TRUST_PROXY),
  };
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
    const account = serviceAccount.parse(JSON.parse(readFileSync(IDENTITY_SERVICE_ACCOUNT, 'utf8')));
    return { ...options, serviceAccount: account };
  } catch {
    problems.push(`IDENTITY_SERVICE_ACCOUNT is not a readable key file. It is "${IDENTITY_SERVICE_ACCOUNT}".`);
    return null;
  }
}

/** Server and sender, both or neither; in production both, since nobody reads the page that shows mails there. */
function smtpOptions(values: z.infer<typeof environment>, problems: string[]): Config['smtp'] | null {
  const { SMTP_URL: url, MAIL_FROM: from, NODE_ENV } = values;
  if (url !== undefined && from !== undefined) return { url, from };
  if (url !== undefined) problems.push('MAIL_FROM is missing: SMTP_URL needs it.');
  else if (from !== undefined) problems.push('SMTP_URL is missing: MAIL_FROM is of no use without it.');
  else if (NODE_ENV === 'production') {
    problems.push(
      'SMTP_URL and MAIL_FROM are missing: in production, invitations and password resets have to be sent.',
    );
  }
  return null;
}

function proxies(written: string): Config['trustProxy'] {
  if (written === 'off' || written === 'false') return false;
  if (written === 'on' || written === 'true') return true;
  return /^\d+$/.test(written) ? (_address, hop) => hop < Number(written) : written;
}
