import { z } from 'zod';
import { defineCall } from '../call.ts';
import { subscriptionStates } from '../entitlements.ts';
import { roles } from '../permissions.ts';
import { features, planNames } from '../plans.ts';
import { assertion, secondFactorCode } from './second-factor.ts';

const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** Any text, so that the answer is the same for what is no e-mail; but none that the database can't hold. */
const triedEmail = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^\P{Cc}*$/u);
/** What a person wants to be called; empty: by the e-mail. */
const displayName = z
  .string()
  .trim()
  .normalize()
  .max(100)
  .regex(/^\P{Cc}*$/u);
const none = z.null().or(z.object({}).strict());

export const user = z.object({
  uid: z.uuid(),
  email: z.string(),
  displayName: z.string().optional(),
  role: z.enum(roles),
  companyId: z.uuid(),
});

export const session = z.object({
  user,
  /** Sent as `Authorization: Bearer`; valid until expiresAt. */
  idToken: z.string(),
  expiresAt: z.iso.datetime(),
});

export const signUp = defineCall({
  summary: 'Creates a company with its first admin, and signs the admin in.',
  input: z
    .object({
      /** Only bounded here: what may stand in it answers `invalid-company-name` with its own words. */
      companyName: z.string().trim().min(1).max(200),
      email,
      /** Only bounded here: the password policy answers `weak-password` with its own words. */
      password: z.string().max(1024),
      priceId: z.string().max(100).optional(),
      /** The browser's, as the IANA database names it: where the company's days begin. Absent or unknown: UTC. */
      timeZone: z.string().max(100).optional(),
      /** Of the link that the start prints, where others can reach a service that only the first may take. */
      setupCode: z.string().max(200).optional(),
    })
    .strict(),
  output: session.extend({
    checkout: z.object({ sessionId: z.string(), url: z.string() }).optional(),
    checkoutError: z.string().optional(),
  }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: false,
});

export const signIn = defineCall({
  summary: 'Signs in with email and password, and a second factor where the person has one; sets the refresh cookie.',
  input: z
    .object({
      email: triedEmail,
      password: z.string().max(1024),
      /** Of whoever has a second factor: a code of the authenticator app, or a recovery code. */
      code: secondFactorCode.optional(),
      /** In place of the code, what a passkey has signed of the options in the error `second-factor-required`. */
      assertion: assertion.optional(),
    })
    .strict(),
  output: session,
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: false,
});

export const refreshSession = defineCall({
  summary: 'Exchanges the refresh cookie for a new ID token, and rotates the cookie.',
  input: none,
  output: session,
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});

export const signOut = defineCall({
  summary: 'Ends the session of the refresh cookie.',
  input: none,
  output: z.null(),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});

export const sendPasswordReset = defineCall({
  summary: 'Mails a link that sets a new password; the answer is the same whether the email is known or not.',
  input: z.object({ email: triedEmail.min(1) }).strict(),
  output: z.null(),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: false,
});

const oobCode = z.string().min(1).max(1000);

export const verifyResetCode = defineCall({
  summary: 'Whose password the code of a mailed link sets, and whether it is an invitation.',
  input: z.object({ oobCode }).strict(),
  output: z.object({ email: z.string(), purpose: z.enum(['reset', 'invite']) }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});

export const confirmPasswordReset = defineCall({
  summary: 'Sets the password with the code of a mailed link; ends all sessions of the person.',
  /** `displayName`: asked for with the first password; absent or empty, a name that is there stays. */
  input: z.object({ oobCode, newPassword: z.string().max(1024), displayName: displayName.optional() }).strict(),
  output: z.object({ email: z.string() }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: false,
});

export const confirmEmail = defineCall({
  summary: 'Confirms an email address with the code of the link that was mailed to it.',
  input: z.object({ code: z.string().min(1).max(1000) }).strict(),
  output: z.null(),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});

export const sendEmailConfirmation = defineCall({
  summary: "Mails the link that confirms one's email address again; does nothing where it is confirmed.",
  input: none,
  output: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
});

export const reauthenticate = defineCall({
  summary:
    'Confirms the password of the signed-in person, and the second factor where there is one, which dangerous calls ask for; answers a session.',
  input: z
    .object({ password: z.string().max(1024), code: secondFactorCode.optional(), assertion: assertion.optional() })
    .strict(),
  output: session,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  whileEnding: 'admin',
  whileEnrolling: true,
});

export const changePassword = defineCall({
  summary: 'Sets a new password with the one of now; ends all sessions of the person, and answers a new one.',
  input: z.object({ currentPassword: z.string().max(1024), newPassword: z.string().max(1024) }).strict(),
  output: session,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  endsOwnSessions: true,
});

export const setDisplayName = defineCall({
  summary: 'Says what the signed-in person wants to be called; an empty name takes it back.',
  input: z.object({ displayName }).strict(),
  output: user,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const branding = z.object({
  name: z.string(),
  logoUrl: z.string().optional(),
  marketingUrl: z.string().optional(),
  pricingUrl: z.string().optional(),
  termsUrl: z.string().optional(),
  socialUrl: z.string().optional(),
  salesEmail: z.string().optional(),
  /** Of a company that has its own, as `#rrggbb`. */
  accent: z.string().optional(),
});
export type Branding = z.infer<typeof branding>;

export const getSession = defineCall({
  summary: 'Who is signed in, for which company, and what its subscription allows.',
  input: none,
  output: z.object({
    user: user.extend({
      /** False: the link that was mailed has to be opened before the first invitation. */
      emailConfirmed: z.boolean(),
      /** True: nothing but setting up a second factor is possible, since the company asks for one. */
      mustEnrol: z.boolean(),
      /** Whether this session was begun by the company's own provider. */
      bySingleSignOn: z.boolean(),
    }),
    company: z.object({
      id: z.uuid(),
      name: z.string(),
      /** When everything of it is erased, where that was asked for: it is closed until then. */
      endsAt: z.iso.datetime().optional(),
      /** After so many minutes without use the session ends; null: after 30 days. */
      sessionIdleMinutes: z.number().int().nullable(),
    }),
    subscription: z.object({
      state: z.enum(subscriptionStates),
      plan: z.enum(planNames).nullable(),
      seats: z.number().int().nullable(),
      seatsUsed: z.number().int(),
    }),
    entitlements: z.object({
      chat: z.boolean(),
      upload: z.boolean(),
      invite: z.boolean(),
      notice: z.enum(['payment-overdue', 'subscription-inactive']).nullable(),
      features: z.array(z.enum(features)),
      seats: z.number().int().nullable(),
    }),
    branding,
    /** What the chat screen shows of the company's assistant. */
    assistant: z.object({
      /** Of its settings; 0: never saved. An answer of another one says that these are old. */
      version: z.number().int(),
      /** Empty: as usual. */
      name: z.string(),
      greeting: z.string(),
    }),
  }),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
  whileEnding: 'member',
  whileEnrolling: true,
});

export const getSettings = defineCall({
  summary: 'What the signed-out pages need to know: the brand, and whether payment and sign-up are on.',
  input: none,
  output: z.object({
    branding,
    billing: z.enum(['off', 'stripe']),
    /** Whether a new company can be created now. */
    signupOpen: z.boolean(),
    /** Whether that takes the code of the set-up link. */
    setupCodeNeeded: z.boolean(),
    /** Whether nobody has created one yet. */
    isEmpty: z.boolean(),
    maxFileBytes: z.number().int(),
    /**
     * Whether the browser has sent a refresh cookie, which its scripts can't see: without one there is no session to
     * ask for.
     */
    hasSession: z.boolean(),
    /** Whether any company signs in with single sign-on: else nothing offers it. */
    singleSignOn: z.boolean(),
  }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});
