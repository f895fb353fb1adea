import { isIP } from 'node:net';
import { z } from 'zod';
import { outboundAllowed } from '#server/lib/public-address.ts';
import { isLoopbackName } from '#server/lib/this-machine.ts';
import { brandHosts } from './brand-hosts.ts';
import { fileSettings } from './files.ts';
import { modelSettings } from './models.ts';
import { traceSettings } from './traces.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = z.coerce.number('must be a number').int('must be a whole number').min(0).max(65_535, 'is at most 65535');
const count = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const webAddress = z.url({ protocol: /^https?$/, error: 'must be a web address (http:// or https://)' });
/** Whether an address is on this machine. */
export const isLoopback = ({ hostname }: URL) => isLoopbackName(hostname);
/** Names that the framework knows for ranges of addresses. */
const rangeNames = ['loopback', 'linklocal', 'uniquelocal'];
function namesProxies(written: string): boolean {
  if (/^(off|false|on|true|\d{1,2})$/.test(written)) return true;
  return written.split(',').every((each) => {
    const [address = '', bits, more] = each.trim().split('/');
    if (rangeNames.includes(each.trim())) return true;
    const size = isIP(address) === 4 ? 32 : 128;
    const rangeIsRight = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= size);
    return isIP(address) > 0 && more === undefined && rangeIsRight;
  });
}
const bucketName = /^[a-z0-9][a-z0-9._-]{1,62}$/;

/** Every variable with its default and its description, which `docs/configuration.md` shows. */
export const environment = z.object({
  PORT: port.default(3000).describe('Port to listen on; 0 lets the system choose.'),
  HOST: z
    .string()
    .default('localhost')
    .describe(
      'Address to listen on; 0.0.0.0 to be reached from other machines, as in a container. Then no page shows mails.',
    ),
  ROLE: z
    .enum(['all', 'web', 'worker'], 'must be all, web or worker')
    .default('all')
    .describe(
      'What this process does: web answers people and programs, worker reads documents and does all other jobs, all does both. Any number of each can share one DATABASE_URL and one DATA_DIR (docs/operations.md).',
    ),
  DRAIN_SECONDS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0)
    .max(300, 'is at most 300')
    .default(0)
    .describe(
      'At a stop, for how long everything is still answered while /readyz says 503: as long as the proxy in front takes to notice.',
    ),
  DATA_DIR: z.string().default('./data').describe('Folder in which everything embedded lives.'),
  ...fileSettings,
  PUBLIC_URL: webAddress
    .refine((url) => !URL.canParse(url) || new URL(url).pathname === '/', 'must be an origin, without a path')
    .optional()
    .describe(
      'The address under which browsers reach this service; not set: http://localhost:<PORT>. Another than this machine needs SMTP_URL, and STRIPE_SECRET_KEY or BILLING=off.',
    ),
  SECRET_KEY: z
    .string()
    .min(32, 'must have 32 characters or more')
    .optional()
    .describe(
      'Seals secrets in the database, as those of second factors: 32 random characters or more, the same for all processes; not set: the file secret.key below DATA_DIR, made at the first start. Keep a copy apart from that of the database.',
    ),
  SECRET_KEY_BEFORE: z
    .string()
    .min(32, 'must have 32 characters or more')
    .optional()
    .describe(
      'The SECRET_KEY before this one, which still opens what it has sealed: until npm run keys -- rotate sealed-secrets has sealed it anew.',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/, error: 'must be a postgres:// address' })
    .optional()
    .describe(
      'A PostgreSQL (15 or newer) to use in place of the embedded one; docs/operations.md says what its role needs.',
    ),
  DATABASE_CONNECTIONS: count
    .default(16)
    .describe(
      'Connections to the database that calls and jobs of this process may use at once. It takes 9 more for its queue, for locks and for hearing of changes, 4 with ROLE=web.',
    ),
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
    .describe(
      'Mail server, smtp://user:password@host:587 or smtps://…; not set: mails can be read at /dev/outbox, where HOST and PUBLIC_URL are this machine.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>"@\r\n]+<[^\s<>"@]+@[^\s<>"@]+>|[^\s<>"@]+@[^\s<>"@]+)$/, 'must be like Name <name@example.com>')
    .optional()
    .describe('Sender of the mails, such as Footnote <no-reply@example.com>.'),
  ...modelSettings,
  BILLING: z
    .enum(['off', 'stripe'], 'must be off or stripe')
    .default('stripe')
    .describe(
      'stripe: companies pay, on a simulator of this machine as long as STRIPE_SECRET_KEY is not set (refused with DATABASE_URL, at a public address and in production). off: no payment, every feature is on.',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key, like sk_live_…')
    .optional()
    .describe('Secret key of the Stripe account that companies pay to; not set: the simulator.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be like whsec_…')
    .optional()
    .describe('Secret with which Stripe signs events for <PUBLIC_URL>/webhooks/stripe; npm run stripe:setup shows it.'),
  STRIPE_HOST: z
    .string()
    .regex(/^(localhost|127\.0\.0\.1|\[::1\]):\d{1,5}$/, 'must be a port of this machine, like localhost:12111')
    .optional()
    .describe('A simulator that runs by itself, in place of Stripe; takes test keys only.'),
  TRIAL_DAYS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0)
    .max(730, 'is at most 730')
    .default(0)
    .describe('Days for which a company can try its first subscription before it is charged; 0: none.'),
  SIGNUP: z
    .enum(['open', 'first'], 'must be open or first')
    .optional()
    .describe(
      'Who may create a company: anyone (open), who then confirms the e-mail before inviting, or only the first (first), which takes the link that the start prints where HOST or PUBLIC_URL is not this machine; not set: first when BILLING is off.',
    ),
  MAX_FILE_MB: count
    .max(100_000)
    .default(500)
    .describe('Largest file that can be uploaded, in units of 1024 x 1024 bytes.'),
  COMPANY_STORAGE_GB: z.coerce
    .number('must be a number')
    .positive('must be more than 0')
    .max(1_000_000)
    .default(50)
    .describe(
      'What one company may store in all, with every version and what is being uploaded; in units of 1,000,000,000 bytes.',
    ),
  MIN_FREE_DISK_MB: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0)
    .default(1024)
    .describe('Room that stays free on the disk: below it uploads are refused, and admins are told; 0: none.'),
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
  LOGO_URL: webAddress
    .optional()
    .describe('Picture to show as the logo, from any origin; not set: the name in letters.'),
  BRAND_HOSTS: z
    .string()
    .refine((written) => brandHosts(written) !== null, 'must be host=company id, with commas between, each host once')
    .default('')
    .describe(
      'Host names that show the brand of a company with white-label before anyone signs in, and that its mails lead to: wissen.nordwind.example=<company id>, with commas between. They have to lead here as PUBLIC_URL does.',
    ),
  MARKETING_URL: webAddress.optional().describe('Where the logo leads; not set: the pricing page.'),
  PRICING_URL: webAddress.optional().describe('Where Pricing leads; not set: the pricing page of the product.'),
  TERMS_URL: webAddress.optional().describe('Terms of service; not set: no such link.'),
  SOCIAL_URL: webAddress.optional().describe('Social profile; not set: no such link.'),
  SALES_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe('Where Contact Sales writes to; not set: sales@ the host of PUBLIC_URL.'),
  QUESTIONS_PER_MINUTE: count.default(30).describe('Questions that one person may ask in a minute.'),
  COMPANY_QUESTIONS_PER_MINUTE: count.default(600).describe('Questions that one company may ask in a minute.'),
  SEARCHES_PER_MINUTE: count
    .default(120)
    .describe('Searches for passages, and looks for suggested questions, by one person in a minute.'),
  COMPANY_SEARCHES_PER_MINUTE: count.default(1200).describe('The same by one company.'),
  READS_PER_MINUTE: count
    .default(600)
    .describe('Calls of one person in a minute that read: lists, links to originals, reading views, streams.'),
  COMPANY_READS_PER_MINUTE: count.default(6000).describe('The same by one company.'),
  CHANGES_PER_MINUTE: count
    .default(300)
    .describe('Calls of one person in a minute that change something: tags, ratings, deletions, roles.'),
  COMPANY_CHANGES_PER_MINUTE: count.default(3000).describe('The same by one company.'),
  UPLOAD_REQUESTS_PER_MINUTE: count
    .default(1200)
    .describe('Requests of uploads (beginning, pieces, asking how far it is) by one person in a minute.'),
  COMPANY_UPLOAD_REQUESTS_PER_MINUTE: count.default(6000).describe('The same by one company.'),
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0)
    .optional()
    .describe(
      'Connections that one address may have at once, to each process; with TRUST_PROXY, requests being answered for one. Not set: 500, and any number from this machine; 0: any number.',
    ),
  STREAMS_PER_PERSON: count
    .default(50)
    .describe(
      'Streams (open pages, answers being written) of one person at once, in each process; of more the oldest ends.',
    ),
  UPLOADS_PER_MINUTE: count.default(200).describe('Uploads that one company may start in a minute.'),
  SIGNUPS_PER_HOUR: count.default(100).describe('Sign-ups that may be tried from one address in an hour.'),
  SIGN_INS_PER_ADDRESS: count.default(300).describe('Sign-ins that may be tried from one address in 15 minutes.'),
  SIGN_INS_PER_ACCOUNT: count
    .default(20)
    .describe('Wrong passwords for one account in 15 minutes, from browsers new to it; one address may use half.'),
  RESETS_PER_HOUR: count.default(60).describe('Password resets that may be asked for from one address in an hour.'),
  CODES_PER_ADDRESS: count.default(100).describe('Codes of mailed links that one address may try in 15 minutes.'),
  INVITATIONS_PER_HOUR: count.default(1000).describe('Invitations that one company may send in an hour.'),
  REFRESHES_PER_MINUTE: count.default(1200).describe('Renewals, ends and single sign-ons of one address in a minute.'),
  APP_REGISTRATIONS_PER_HOUR: count.default(100).describe('Apps that one address may register in an hour.'),
  APP_REQUESTS_PER_MINUTE: count.default(300).describe('Requests of apps to connect or for tokens from one address.'),
  BACKUP_PASSPHRASE: z
    .string()
    .min(12, 'must have 12 characters at least')
    .optional()
    .describe('Seals what npm run backup writes, and opens it again. Keep it where the backups are not.'),
  ERASURE_LEDGER: z
    .string()
    .optional()
    .describe(
      'The file that says which documents and companies were deleted, so that a restored backup does not bring them back. Put it on another disk than DATA_DIR. Empty: erased.txt in DATA_DIR.',
    ),
  AUDIT_DAYS: count.max(3650).default(400).describe('Days for which the audit log keeps who did what.'),
  TRUST_PROXY: z
    .string()
    .refine(namesProxies, 'must be off, on, a number of proxies, or their addresses with commas between')
    .default('off')
    .describe(
      'Whose X-Forwarded-For is believed: off, the addresses of the proxies (203.0.113.7, 10.0.0.0/8, loopback) with commas between, or how many proxies stand in front. on believes any sender, who can then pass for any address.',
    ),
  OUTBOUND_ALLOW: z
    .string()
    .refine(
      (written) => outboundAllowed(written) !== null,
      'must be addresses, ranges, host names or http:// origins, with commas between',
    )
    .default('')
    .describe(
      'What of your own network companies may name, as for single sign-on and webhooks, with commas between: ranges (10.20.0.0/16), host names (idp.internal), origins without encryption (http://idp.internal:8080). All else has to be public, with https.',
    ),
  DNS_SERVER: z
    .string()
    .regex(
      /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\])(:\d{1,5})?$/,
      'must be an address, like 9.9.9.9 or [2620:fe::fe]:53',
    )
    .optional()
    .describe(
      'Name server that is asked for the records by which companies prove their domains, where that of the system does not know those of the internet; not set: that of the system.',
    ),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .regex(/^[\x21-\x7e]*$/, 'must have no blanks and no letters beyond ASCII')
    .optional()
    .describe(
      'Bearer with which other machines may read /metrics and the details of /readyz; not set: only this machine may.',
    ),
  ...traceSettings,
});
