import { z } from 'zod';
import { defineCall } from '../call.ts';
import { roles } from '../permissions.ts';

export const listUsers = defineCall({
  summary: 'Everyone in the company.',
  input: z.null().or(z.object({}).strict()),
  output: z.array(
    z.object({
      uid: z.uuid(),
      email: z.string(),
      role: z.enum(roles),
      state: z.enum(['active', 'invited', 'expired']),
    }),
  ),
  access: 'admin',
  feature: null,
  idempotent: true,
});
