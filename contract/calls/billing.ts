import { z } from 'zod';
import { defineCall } from '../call.ts';
import { billingPeriods, planNames } from '../plans.ts';

export const getPlans = defineCall({
  summary: 'The plans on sale with their prices.',
  input: z.null().or(z.object({}).strict()),
  output: z.object({
    plans: z.array(
      z.object({
        plan: z.enum(planNames),
        period: z.enum(billingPeriods),
        /** null: on request. */
        priceId: z.string().nullable(),
        /** Cents per period; null: on request. */
        amount: z.number().int().nullable(),
        currency: z.string(),
        seats: z.number().int().nullable(),
        /** What the plan's card lists. */
        features: z.array(z.string()),
      }),
    ),
  }),
  access: 'anyone',
  feature: null,
  idempotent: true,
});
