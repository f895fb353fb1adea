import { z } from 'zod';
import { defineCall } from '../call.ts';
import { maxWebhookUrl, sentEvents, webhookEvents, webhookOffReasons } from '../webhooks.ts';

const none = z.null().or(z.object({}).strict());
const url = z.string().trim().min(1).max(maxWebhookUrl);
const events = z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length);
const collectionIds = z.array(z.uuid()).max(500);
const ofWebhook = z.object({ webhookId: z.uuid() }).strict();

export const createWebhook = defineCall({
  summary:
    'Makes a webhook: an address that is told of events of the company, each signed by a secret that is shown this once (Standard Webhooks). Asks for a recent sign-in.',
  input: z
    .object({
      url,
      events,
      /**
       * Of which collections it is told, beside what is in the company's own. Without it, of those that are for
       * everyone. Needs `collections`.
       */
      collectionIds: collectionIds.optional(),
    })
    .strict(),
  output: z.object({
    webhookId: z.uuid(),
    /** `whsec_…`: what receivers check signatures with. Nobody can be told it again. */
    secret: z.string(),
  }),
  access: 'admin',
  scope: null,
  feature: 'webhooks',
  idempotent: false,
  audit: 'webhook-created',
});

export const updateWebhook = defineCall({
  summary:
    'Changes where a webhook leads, of what it is told, and whether it is on. What is left out stays as it is. Asks for a recent sign-in.',
  input: z
    .object({
      webhookId: z.uuid(),
      url: url.optional(),
      events: events.optional(),
      /** Null: those that are for everyone. */
      collectionIds: collectionIds.nullable().optional(),
      /** Switched off, it is told of nothing, and what waits for it is given up. */
      on: z.boolean().optional(),
    })
    .strict(),
  output: z.null(),
  access: 'admin',
  scope: null,
  feature: 'webhooks',
  idempotent: true,
  audit: 'webhook-changed',
});

export const rotateWebhookSecret = defineCall({
  summary:
    'Gives a webhook a new secret, which is shown this once. For 24 hours the one before signs beside it. Asks for a recent sign-in.',
  input: ofWebhook,
  output: z.object({
    secret: z.string(),
    /** Until when the secret of before signs, too. */
    bothUntil: z.iso.datetime(),
  }),
  access: 'admin',
  scope: null,
  feature: 'webhooks',
  idempotent: false,
  audit: 'webhook-secret-rotated',
});

export const listWebhooks = defineCall({
  summary: 'The webhooks of the company, the newest first, without their secrets.',
  input: none,
  output: z.array(
    z.object({
      webhookId: z.uuid(),
      url: z.string(),
      events,
      /** Absent: it is told of the collections that are for everyone. */
      collectionIds: z.array(z.uuid()).optional(),
      createdAt: z.iso.datetime(),
      /** The e-mail of who made it, as it was then. */
      createdBy: z.string(),
      /** Absent: it is on. */
      off: z.object({ reason: z.enum(webhookOffReasons), at: z.iso.datetime() }).optional(),
      /** Since when nothing has arrived; absent: what was sent last has. */
      failingSince: z.iso.datetime().optional(),
      /** Events that are to be delivered yet. */
      waiting: z.number().int().min(0),
      /** Until when the secret of before signs, too. */
      bothSecretsUntil: z.iso.datetime().optional(),
    }),
  ),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const deleteWebhook = defineCall({
  summary: 'Removes a webhook with its log. Nothing more is sent to it.',
  input: ofWebhook,
  output: z.null(),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: false,
  audit: 'webhook-deleted',
});

export const sendTestEvent = defineCall({
  summary: 'Sends `webhook.test` to a webhook, once; the log tells what came of it.',
  input: ofWebhook,
  output: z.object({ deliveryId: z.uuid() }),
  access: 'admin',
  scope: 'admin',
  feature: 'webhooks',
  idempotent: false,
  audit: 'webhook-tested',
});

export const getWebhookLog = defineCall({
  summary: 'What was sent to a webhook in the last 30 days, or is to be, the newest event first.',
  input: ofWebhook.extend({ cursor: z.string().max(40).optional() }),
  output: z.object({
    deliveries: z.array(
      z.object({
        /** The header `webhook-id` is `msg_` and this. */
        deliveryId: z.uuid(),
        type: z.enum(sentEvents),
        /** Of the event. */
        at: z.iso.datetime(),
        state: z.enum(['waiting', 'delivered', 'failed']),
        /** How often it was sent; the newest of these stand in `attempts`. */
        tried: z.number().int().min(0),
        attempts: z.array(
          z.object({
            at: z.iso.datetime(),
            /** Of the answer; absent where there was none that counts. */
            status: z.number().int().optional(),
            /** The code of an error: `outbound-timeout`. */
            error: z.string().optional(),
            durationMs: z.number().int().min(0),
          }),
        ),
        /** Of one that waits: not before. */
        nextAt: z.iso.datetime().optional(),
        /** What was sent last, of the ten newest. */
        body: z.string().optional(),
      }),
    ),
    /** The cursor of the page before in time; absent: there is none. */
    next: z.string().optional(),
  }),
  access: 'admin',
  scope: 'admin',
  feature: null,
  idempotent: true,
});

export const resendDelivery = defineCall({
  summary: 'Sends an event once more that has arrived or was given up, with the same `webhook-id`.',
  input: ofWebhook.extend({ deliveryId: z.uuid() }),
  output: z.null(),
  access: 'admin',
  scope: 'admin',
  feature: 'webhooks',
  idempotent: false,
  audit: 'webhook-sent-again',
});
