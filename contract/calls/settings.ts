import { z } from 'zod';
import { accentColours } from '../accent.ts';
import { defineCall } from '../call.ts';
import { brandBounds, mailLanguages, sessionDayChoices, sessionIdleChoices } from '../settings.ts';

const none = z.null().or(z.object({}).strict());
const days = z.union(sessionDayChoices.map((each) => z.literal(each)));
const idleMinutes = z.union(sessionIdleChoices.map((each) => z.literal(each)));

const companySettings = z.object({
  name: z.string(),
  /** Of the IANA database: where the company's days begin. */
  timeZone: z.string(),
  mailLanguage: z.enum(mailLanguages),
  /** After so many days one has to sign in again; null: only after 30 days without use. */
  sessionDays: z.number().int().nullable(),
  /** After so many minutes without use one has to sign in again; null: after 30 days. */
  sessionIdleMinutes: z.number().int().nullable(),
  /** Whether everybody has to have a second factor. */
  secondFactorRequired: z.boolean(),
  /** What the company has set of its brand, whether or not its plan shows it. */
  brand: z.object({
    name: z.string().nullable(),
    accent: z.string().nullable(),
    /** The address of the logo. */
    logoUrl: z.string().nullable(),
  }),
  /** What the caller is mailed about, once a day at most. */
  digest: z.object({ failedFiles: z.boolean(), unanswered: z.boolean() }),
});

export const getCompanySettings = defineCall({
  summary: 'What the company has decided about itself, and what the caller is mailed about.',
  input: none,
  output: companySettings,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const updateCompany = defineCall({
  summary: "Changes the company's name, time zone or language of mails: what is given of it.",
  input: z
    .object({
      /** Only bounded here: what may stand in it answers `invalid-company-name` with its own words. */
      name: z.string().trim().normalize().min(1).max(200).optional(),
      timeZone: z.string().max(64).refine(isTimeZone, { message: 'There is no such time zone.' }).optional(),
      mailLanguage: z.enum(mailLanguages).optional(),
    })
    .strict(),
  output: companySettings,
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'company-changed',
});

export const updateBrand = defineCall({
  summary: 'Changes how the company is shown to its people, and in mails: what is given of it; null takes it back.',
  input: z
    .object({
      name: z
        .string()
        .trim()
        .normalize()
        .min(1)
        .max(brandBounds.name)
        .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u)
        .nullable()
        .optional(),
      accent: z
        .string()
        .toLowerCase()
        // As it is sent: the API document has this, and knows nothing of the line above.
        .regex(/^#[0-9a-fA-F]{6}$/)
        .refine((accent) => accentColours(accent) !== null, { message: 'This colour is too light to be read.' })
        .nullable()
        .optional(),
      /** A PNG, base64: 8 bits a channel, RGB with or without alpha, not interlaced. It is written anew. */
      logo: z
        .string()
        .max(Math.ceil(brandBounds.logoBytes / 3) * 4)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/)
        .nullable()
        .optional(),
    })
    .strict(),
  output: companySettings,
  access: 'admin',
  scope: 'admin',
  feature: 'white-label',
  idempotent: false,
  audit: 'branding-changed',
});

export const setSessionDays = defineCall({
  summary:
    "After how many days, and how many minutes without use, the company's people have to sign in again: what is given of it; null: only after 30 days without use.",
  input: z.object({ days: days.nullable().optional(), idleMinutes: idleMinutes.nullable().optional() }).strict(),
  output: companySettings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'session-length-changed',
});

export const setSecondFactorRequired = defineCall({
  summary:
    'Whether everybody in the company has to have a second factor: who has none can only set one up. Asks for a recent sign-in.',
  input: z.object({ required: z.boolean() }).strict(),
  output: companySettings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'second-factor-required-changed',
});

export const setDigest = defineCall({
  summary: 'What the caller is mailed about, once a day at most.',
  input: z.object({ failedFiles: z.boolean(), unanswered: z.boolean() }).strict(),
  output: companySettings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
});

function isTimeZone(name: string): boolean {
  try {
    // Only names of places and UTC: an offset knows no summer time, and its sign means the opposite elsewhere.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
