import { z } from 'zod';
import { defineCall } from '../call.ts';

const none = z.null().or(z.object({}).strict());
const note = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u);

const settings = z.object({
  /** Empty: the company's people may come from anywhere. */
  ranges: z.array(
    z.object({
      /** `203.0.113.0/24`, `2001:db8::/48`; a single address has `/32` or `/128`. */
      range: z.string(),
      note: z.string(),
    }),
  ),
  /** The caller's own, as the service sees it. */
  yourAddress: z.string(),
});

export const getAllowedAddresses = defineCall({
  summary: "From which addresses the company's people may come.",
  input: none,
  output: settings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
});

export const saveAllowedAddresses = defineCall({
  summary:
    "Lets the company's people come from these addresses alone: whatever they have open elsewhere ends. The caller's own has to be among them. Asks for a recent sign-in.",
  input: z
    .object({
      // Bounded here alone: how many may be saved answers with its own words, as does what is no range.
      ranges: z
        .array(z.object({ range: z.string().max(100), note: note.optional() }).strict())
        .min(1)
        .max(1000),
    })
    .strict(),
  output: settings,
  access: 'admin',
  scope: null,
  feature: 'allowed-addresses',
  idempotent: false,
  audit: 'allowed-addresses-changed',
});

export const removeAllowedAddresses = defineCall({
  summary: "Removes the list: the company's people may come from anywhere. Asks for a recent sign-in.",
  input: none,
  output: settings,
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'allowed-addresses-changed',
});
