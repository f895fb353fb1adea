/** What a webhook can be told of. Stored, and what receivers compare with: never rename one. */
export const webhookEvents = [
  /** A version was read, and answers from now on; also one that was read in part (`state`). */
  'document.ready',
  'document.failed',
  /** It is gone for every reader. */
  'document.deleted',
  /** A question that the documents do not answer. */
  'question.unanswered',
  /** Somebody has said whether an answer helped, or has taken it back. */
  'answer.rated',
  'person.joined',
  'person.removed',
  /** State, plan or end of the company's subscription are others than before. */
  'subscription.changed',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a test sends. */
export const testEvent = 'webhook.test';
/** Whatever is sent. */
export const sentEvents = [...webhookEvents, testEvent] as const;

/**
 * Why a webhook is off: an admin has switched it off, its receiver has failed for five days, or has said (410) that it
 * is gone.
 */
export const webhookOffReasons = ['by-admin', 'failing', 'gone'] as const;
export type WebhookOffReason = (typeof webhookOffReasons)[number];

/** Of a company. */
export const maxWebhooks = 20;
export const maxWebhookUrl = 2048;
/** For how long the secret of before signs beside the new one. */
export const secretOverlapHours = 24;
/** For how long an event is tried. */
export const deliveryDays = 3;
/** After so many days without a success a webhook is switched off. */
export const failingDays = 5;
/** For how long the log is kept. */
export const webhookLogDays = 30;
/** Of how many deliveries, the newest, the log has what was sent. */
export const bodiesKept = 10;
