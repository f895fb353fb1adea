import type { Handlers } from '#server/calls/handlers.ts';
import type { JobHandlers } from '#server/jobs/registry.ts';
import { createOutbound, type OutboundOptions } from '#server/lib/outbound.ts';
import { createDelivery } from './deliver.ts';
import type { WebhooksDeps } from './deps.ts';
import { listWebhooks } from './list.ts';
import { createWebhookLog } from './log.ts';
import { createManagement } from './manage.ts';
import { wakeWebhooks } from './upkeep.ts';

/** What a receiver says is read to its end, and looked at by nobody. */
const maxAnswerBytes = 65_536;

/** Addresses of a company's own that are told of what happens in it. What happens is told by `outbox.ts`. */
export function createWebhooks({
  clock = () => new Date(),
  outbound,
  ...given
}: Omit<WebhooksDeps, 'clock' | 'outbound'> & {
  clock?: () => Date;
  /** How receivers are reached, where that is not as usual. */
  outbound?: Pick<OutboundOptions, 'resolve' | 'timeoutMs' | 'connectTimeoutMs'>;
}) {
  const way = createOutbound({ allowed: given.config.outboundAllowed, maxBytes: maxAnswerBytes, ...outbound });
  const deps: WebhooksDeps = { ...given, clock, outbound: way };
  const management = createManagement(deps);
  const log = createWebhookLog(deps);
  const delivery = createDelivery(deps);

  const calls = {
    createWebhook: (input, { actor, ip }) => management.create({ ...actor, ip }, input),
    updateWebhook: async (input, { actor, ip }) => {
      await management.update({ ...actor, ip }, input);
      return null;
    },
    rotateWebhookSecret: ({ webhookId }, { actor, ip }) => management.rotate({ ...actor, ip }, webhookId),
    listWebhooks: (_, { actor }) => listWebhooks(deps, actor),
    deleteWebhook: async ({ webhookId }, { actor, ip }) => {
      await management.remove({ ...actor, ip }, webhookId);
      return null;
    },
    sendTestEvent: ({ webhookId }, { actor, ip }) => log.test({ ...actor, ip }, webhookId),
    getWebhookLog: (input, { actor }) => log.page(actor, input),
    resendDelivery: async (input, { actor, ip }) => {
      await log.resend({ ...actor, ip }, input);
      return null;
    },
  } satisfies Partial<Handlers>;

  const jobs = {
    'deliver-webhook': delivery.deliver,
    'send-by-hand': delivery.byHand,
    'wake-webhooks': () => wakeWebhooks(deps),
  } satisfies Partial<JobHandlers>;

  return { calls, jobs };
}
