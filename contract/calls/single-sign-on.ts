import { z } from 'zod';
import { defineCall } from '../call.ts';
import { session } from './identity.ts';

const none = z.null().or(z.object({}).strict());
const domain = z.string().trim().toLowerCase().min(1).max(253);

/** Where the browser goes next. */
const onward = z.object({ url: z.string() });

const settings = z.object({
  provider: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      /** When an admin has come in by it as it is now; null: nobody has. */
      testedAt: z.iso.datetime().nullable(),
      /** Whether it is the only way in. */
      required: z.boolean(),
    })
    .nullable(),
  domains: z.array(
    z.object({
      domain: z.string(),
      /** The TXT record that proves it. */
      record: z.object({ name: z.string(), value: z.string() }),
      verifiedAt: z.iso.datetime().nullable(),
    }),
  ),
  /** What to enter at the provider: where it leads back to, and whom it tells of sign-outs. */
  redirectUri: z.string(),
  logoutUri: z.string(),
});

export const beginSingleSignOn = defineCall({
  summary: "Where the browser goes to sign in with the provider of an email's company.",
  input: z.object({ email: z.string().trim().toLowerCase().max(254) }).strict(),
  output: onward,
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});

export const confirmBySingleSignOn = defineCall({
  summary:
    "Where the browser goes to confirm who is signed in with the company's provider, which dangerous calls ask for.",
  input: none,
  output: onward,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const completeSingleSignOn = defineCall({
  summary: 'Ends what was begun with a provider, by what it has put into the address that it led back to.',
  input: z.object({ search: z.string().max(8000) }).strict(),
  output: z.object({
    /** A test answers no session. */
    purpose: z.enum(['sign-in', 'confirm', 'test']),
    session: session.nullable(),
  }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: false,
});

export const getSingleSignOn = defineCall({
  summary: 'How the people of the company sign in with its provider, and its domains.',
  input: none,
  output: settings,
  access: 'admin',
  scope: null,
  feature: 'single-sign-on',
  idempotent: true,
});

export const saveSingleSignOn = defineCall({
  summary: 'Sets the provider. It has to be tested again before it can be the only way in. Asks for a recent sign-in.',
  input: z
    .object({
      issuer: z.string().trim().min(1).max(500),
      clientId: z.string().trim().min(1).max(500),
      /** Never shown again; absent: the one of before stays, for the same issuer. */
      clientSecret: z.string().trim().min(1).max(2000).optional(),
    })
    .strict(),
  output: settings,
  access: 'admin',
  scope: null,
  feature: 'single-sign-on',
  idempotent: false,
  audit: 'single-sign-on-changed',
});

export const removeSingleSignOn = defineCall({
  summary: 'Removes the provider: people sign in with passwords again. Asks for a recent sign-in.',
  input: none,
  output: settings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'single-sign-on-changed',
});

export const testSingleSignOn = defineCall({
  summary: 'Where the browser goes to try the sign-in with the provider.',
  input: none,
  output: onward,
  access: 'admin',
  scope: null,
  feature: 'single-sign-on',
  idempotent: true,
});

export const setSingleSignOnRequired = defineCall({
  summary: 'Whether the provider is the only way in. Asks for a recent sign-in, and for a test before.',
  input: z.object({ required: z.boolean() }).strict(),
  output: settings,
  access: 'admin',
  scope: null,
  feature: 'single-sign-on',
  idempotent: false,
  audit: 'single-sign-on-required-changed',
});

export const addDomain = defineCall({
  summary: 'Puts a domain on the list, with the record that proves it.',
  input: z.object({ domain }).strict(),
  output: settings,
  access: 'admin',
  scope: null,
  feature: 'single-sign-on',
  idempotent: false,
  audit: 'domain-added',
});

export const checkDomain = defineCall({
  summary: 'Looks for the record of a domain.',
  input: z.object({ domain }).strict(),
  output: settings,
  access: 'admin',
  scope: null,
  feature: 'single-sign-on',
  idempotent: false,
  audit: 'domain-verified',
});

export const removeDomain = defineCall({
  summary: 'Takes a domain from the list: nobody new comes in by it. Asks for a recent sign-in.',
  input: z.object({ domain }).strict(),
  output: settings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'domain-removed',
});
