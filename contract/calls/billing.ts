import { z } from 'zod';
import { defineCall } from '../call.ts';
import { subscriptionStates } from '../entitlements.ts';
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
  scope: null,
  feature: null,
  idempotent: true,
});

const none = z.null().or(z.object({}).strict());
const cents = z.number().int();
const price = z.object({ priceId: z.string().max(100) }).strict();

export const createCheckoutSession = defineCall({
  summary: "Opens the payment provider's page for a plan. One that is open already is given again.",
  input: price,
  output: z.object({
    sessionId: z.string(),
    /** Where the browser goes. */
    url: z.string(),
  }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
  alsoAsData: true,
});

export const syncSubscription = defineCall({
  summary: "Reads the subscription's state from the payment provider: for the success screen, and after the portal.",
  input: none,
  output: z.object({
    state: z.enum(subscriptionStates),
    plan: z.enum(planNames).nullable(),
    /** Paid, or on trial: the success screen says "Success!". */
    active: z.boolean(),
  }),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const createPortalSession = defineCall({
  summary: "Opens the payment provider's own page for card, invoices, plan and cancellation.",
  input: none,
  output: z.object({ url: z.string() }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
});

const planChange = z.object({
  /** `now`: charged at once; `period-end`: the present plan stays until the end of what is paid for. */
  when: z.enum(['now', 'period-end']),
  at: z.iso.datetime(),
  priceId: z.string(),
  plan: z.enum(planNames),
  period: z.enum(billingPeriods),
});

export const getBilling = defineCall({
  summary: 'Plan, next charge and invoices of the company.',
  input: none,
  output: z.object({
    billing: z.enum(['off', 'stripe']),
    state: z.enum(subscriptionStates),
    plan: z.enum(planNames).nullable(),
    /** The plan was given by whoever runs the service; nothing is charged for it. */
    granted: z.boolean(),
    /** null: a price that is no longer on sale, or none. */
    priceId: z.string().nullable(),
    period: z.enum(billingPeriods).nullable(),
    currentPeriodEnd: z.iso.datetime().nullable(),
    pastDueSince: z.iso.datetime().nullable(),
    /** When the subscription ends, where it has been canceled. */
    endsAt: z.iso.datetime().nullable(),
    /** A change that waits for the end of the period. */
    scheduled: planChange.nullable(),
    nextCharge: z.object({ amount: cents, currency: z.string(), at: z.iso.datetime() }).nullable(),
    /** An invoice that waits to be paid, with the page on which to do so. */
    openInvoice: z.object({ amount: cents, currency: z.string(), url: z.string() }).nullable(),
    card: z
      .object({ brand: z.string(), last4: z.string(), expMonth: z.number().int(), expYear: z.number().int() })
      .nullable(),
    /** Newest first. */
    invoices: z.array(
      z.object({
        id: z.string(),
        number: z.string().nullable(),
        date: z.iso.datetime(),
        amount: cents,
        currency: z.string(),
        status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
        url: z.string().nullable(),
      }),
    ),
    seats: z.number().int().nullable(),
    seatsUsed: z.number().int(),
    /** Whether there is anything to see in the provider's portal. */
    portal: z.boolean(),
  }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
});

export const previewPlanChange = defineCall({
  summary: 'What a change of plan would cost, and when it would take effect. Changes nothing.',
  input: price,
  output: planChange.extend({
    /** Charged at once, after the credit for what is unused of the present plan. */
    amountDue: cents,
    currency: z.string(),
    lines: z.array(z.object({ description: z.string(), amount: cents })),
    /** What each period costs from then on. */
    nextAmount: cents,
    /** Send it back with `changePlan`: what is charged is computed for this moment (unix seconds). */
    prorationDate: z.number().int(),
  }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
});

export const changePlan = defineCall({
  summary: 'Changes the plan as it was previewed: a larger one now, a smaller one at the end of the period.',
  input: price.extend({ amountDue: cents, prorationDate: z.number().int() }).strict(),
  output: z.object({
    /** `payment-required`: the change takes effect when the invoice at `url` is paid. */
    status: z.enum(['changed', 'scheduled', 'payment-required']),
    url: z.string().nullable(),
  }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'plan-changed',
});

export const cancelSubscription = defineCall({
  summary: 'Ends the subscription with the period that is paid for.',
  input: none,
  output: z.object({ endsAt: z.iso.datetime() }),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
  audit: 'subscription-canceled',
});

export const resumeSubscription = defineCall({
  summary: 'Takes back a cancellation or a planned change, as long as the period lasts.',
  input: none,
  output: z.null(),
  access: 'admin',
  scope: null,
  feature: null,
  idempotent: true,
  audit: 'subscription-resumed',
});
