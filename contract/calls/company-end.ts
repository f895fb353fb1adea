import { z } from 'zod';
import { defineCall } from '../call.ts';

const none = z.null().or(z.object({}).strict());

export const deleteCompany = defineCall({
  summary:
    'Asks for the end of the company, whose name is typed: after 7 days everything of it is erased. Until then it is closed, and an admin can take it back with `keepCompany`. Wants a recent sign-in.',
  input: z.object({ companyName: z.string().max(1000) }).strict(),
  output: z.null(),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'company-deleted',
  whileEnding: 'admin',
});

export const keepCompany = defineCall({
  summary: 'Takes back what `deleteCompany` has asked for.',
  input: none,
  output: z.null(),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
  audit: 'company-kept',
  whileEnding: 'admin',
});
