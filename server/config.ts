import { resolve } from 'node:path';
import { z } from 'zod';
import type { Branding } from '#contract/calls/identity.ts';

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
  /** Per account, in 15 minutes. */
  signInsPerAccount: number;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = z.coerce.number('must be a number').int('must be a whole number').min(0).max(65_535, 'is at most 65535');
const count = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const webAddress = z.url({ protocol: /^https?$/, error: 'must be a web address (http:// or https://)' });
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
  SIGN_INS_PER_ACCOUNT: count.default(30).describe('Sign-ins that may be tried for one account in 15 minutes.'),
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
  return {
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
    },
    trustProxy: proxies(values.TRUST_PROXY),
  };
}

function proxies(written: string): Config['trustProxy'] {
  if (written === 'off' || written === 'false') return false;
  if (written === 'on' || written === 'true') return true;
  return /^\d+$/.test(written) ? (_address, hop) => hop < Number(written) : written;
}
