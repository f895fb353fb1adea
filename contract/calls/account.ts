import { z } from 'zod';
import { defineCall } from '../call.ts';
import { secondFactorKinds, signInMethods } from '../sign-in.ts';

const none = z.null().or(z.object({}).strict());
const sessionId = z.string().min(1).max(100);

export const listSessions = defineCall({
  summary: 'Where the signed-in person is signed in, the session used last first.',
  input: none,
  output: z.array(
    z.object({
      sessionId,
      /** Whether it is the one that asks. */
      current: z.boolean(),
      createdAt: z.iso.datetime(),
      /** When it was used last, to the minute. */
      seenAt: z.iso.datetime(),
      /** The network address that it was used from last. */
      address: z.string(),
      /** The browser or program in words, as it has said of itself: `Firefox on Windows`. */
      agent: z.string(),
      methods: z.array(z.enum(signInMethods)),
    }),
  ),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const endSession = defineCall({
  summary: 'Signs the person out of one session at once: its tokens, streams, uploads and links.',
  input: z.object({ sessionId }).strict(),
  output: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'session-ended',
  endsOwnSessions: true,
});

export const endOtherSessions = defineCall({
  summary: 'Signs the person out everywhere but where the call comes from.',
  input: none,
  output: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'other-sessions-ended',
});

const accountSecurity = z.object({
  /** Whether the person is mailed when somebody signs in from a browser that is not known. */
  signInMails: z.boolean(),
  /**
   * Whether the passwords are kept by another service: who signs in there by other programs is not in the list of
   * sessions.
   */
  outsideProvider: z.boolean(),
  secondFactor: z.object({
    /** Not where another service keeps the passwords. */
    isPossible: z.boolean(),
    /** Browsers have passkeys on pages with https and a name alone. */
    passkeysPossible: z.boolean(),
    /** Whether the company asks everybody for one. */
    isRequired: z.boolean(),
    factors: z.array(
      z.object({
        id: z.uuid(),
        kind: z.enum(secondFactorKinds),
        name: z.string(),
        createdAt: z.iso.datetime(),
        lastUsedAt: z.iso.datetime().optional(),
      }),
    ),
    recoveryCodesLeft: z.number().int(),
  }),
});

export const getAccountSecurity = defineCall({
  summary: 'How the account of the signed-in person is protected.',
  input: none,
  output: accountSecurity,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
  whileEnding: 'member',
  whileEnrolling: true,
});

export const setSignInMails = defineCall({
  summary: 'Whether the signed-in person is mailed about sign-ins from browsers that are not known.',
  input: z.object({ enabled: z.boolean() }).strict(),
  output: accountSecurity,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});
