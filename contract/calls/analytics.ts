import { z } from 'zod';
import { defineCall } from '../call.ts';

const none = z.null().or(z.object({}).strict());

const analyticsSettings = z.object({
  /** Where the company's days begin, as the IANA database names it. */
  timeZone: z.string(),
  /** False: analytics tell of nobody by name, in no list and no file. */
  showNames: z.boolean(),
  /** Questions and answers that are older are erased every night, with all that was counted of them. */
  questionRetentionDays: z.number().int(),
  /** Whether the admins are mailed what was asked in the month before. */
  monthlyReport: z.boolean(),
});

export const getAnalyticsSettings = defineCall({
  summary: 'What the company has decided on its analytics: names, how long questions are kept, the monthly report.',
  input: none,
  output: analyticsSettings,
  access: 'admin',
  feature: null,
  idempotent: true,
});

export const updateAnalyticsSettings = defineCall({
  summary:
    'Changes what is given of it. The monthly report can only be switched on in a plan that has usage analytics.',
  input: z
    .object({
      showNames: z.boolean().optional(),
      questionRetentionDays: z.number().int().min(1).max(3650).optional(),
      monthlyReport: z.boolean().optional(),
    })
    .strict(),
  output: analyticsSettings,
  access: 'admin',
  feature: null,
  idempotent: false,
  audit: 'analytics-settings-changed',
});
