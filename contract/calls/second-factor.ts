import { z } from 'zod';
import { defineCall } from '../call.ts';
import { secondFactorKinds } from '../sign-in.ts';

const none = z.null().or(z.object({}).strict());
const bytes = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[A-Za-z0-9_-]+$/);

/** A code of an authenticator app, or a recovery code: any text that is no longer than one. */
export const secondFactorCode = z.string().trim().min(1).max(40);

/** What a passkey has signed, as the browser's `toJSON()` writes it. */
export const assertion = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }),
});

/** A new passkey, as the browser's `toJSON()` writes it. */
const attestation = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

const recoveryCodes = z.object({
  /** Each works once. They are shown now and never again; empty: those of before stay. */
  recoveryCodes: z.array(z.string()),
});

export const beginSecondFactor = defineCall({
  summary: 'Makes a second factor that `confirmSecondFactor` puts into effect. Asks for a recent sign-in.',
  input: z.object({ method: z.enum(secondFactorKinds) }).strict(),
  output: z.union([
    z.object({
      /** For the authenticator app, in base32. */
      secret: z.string(),
      /** The same as an `otpauth:` address, which apps read from a QR code. */
      uri: z.string(),
    }),
    z.object({
      /** For the browser's `PublicKeyCredential.parseCreationOptionsFromJSON`. */
      options: z.record(z.string(), z.unknown()),
    }),
  ]),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  whileEnding: 'member',
  whileEnrolling: true,
});

export const confirmSecondFactor = defineCall({
  summary:
    'Puts a second factor into effect, by a code of the app or the new passkey. The first one ends all other sessions, and answers recovery codes.',
  input: z
    .object({
      code: secondFactorCode.optional(),
      attestation: attestation.optional(),
      /** What to know a passkey by. */
      name: z
        .string()
        .trim()
        .normalize()
        .max(60)
        .regex(/^\P{Cc}*$/u)
        .optional(),
    })
    .strict()
    .refine(({ code, attestation }) => (code === undefined) !== (attestation === undefined)),
  output: recoveryCodes,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  whileEnding: 'member',
  whileEnrolling: true,
});

export const removeSecondFactor = defineCall({
  summary: 'Removes a second factor of the caller, without its id all of them. Asks for a recent sign-in.',
  input: z.null().or(z.object({ id: z.uuid().optional() }).strict()),
  output: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
});

export const renewRecoveryCodes = defineCall({
  summary: 'Makes new recovery codes; those of before end. Asks for a recent sign-in.',
  input: none,
  output: recoveryCodes,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
});

export const resetSecondFactor = defineCall({
  summary:
    'Takes the second factor from a person who has lost it; their sessions end, and they are told by mail. Asks for a recent sign-in.',
  input: z.object({ uid: z.uuid() }).strict(),
  output: z.object({ message: z.string() }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'second-factor-reset',
});
