import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { call } from './call.ts';
import { queryClient, showChanged } from './query-client.ts';

export type Webhook = CallOutput<'listWebhooks'>[number];
export type NewWebhook = CallInput<'createWebhook'>;
export type WebhookLog = CallOutput<'getWebhookLog'>;
export type Delivery = WebhookLog['deliveries'][number];

/** How often what is being sent is asked for again. */
const whileSendingMs = 1000;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => call('listWebhooks', null, { signal }),
  // Receivers answer elsewhere.
  refetchOnWindowFocus: true,
  staleTime: 0,
});

/** A page of the log of a webhook, looked at again while what somebody has asked for is on its way. */
export const webhookLogQuery = (webhookId: string, cursor?: string) =>
  queryOptions({
    queryKey: ['webhook-log', webhookId, cursor ?? ''],
    queryFn: ({ signal }) => call('getWebhookLog', { webhookId, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchOnWindowFocus: true,
    staleTime: 0,
    // What waits for its next try has one; what is being sent has none.
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((each) => each.state === 'waiting' && each.nextAt === undefined)
        ? whileSendingMs
        : false,
  });

/** Makes a webhook, whose secret is told this once. */
export const createWebhook = mutationOptions({
  mutationFn: async (input: NewWebhook) => {
    const made = await call('createWebhook', input);
    void queryClient.invalidateQueries(webhooksQuery);
    return made;
  },
});

export const updateWebhook = mutationOptions({
  mutationFn: async (input: CallInput<'updateWebhook'>) => {
    await call('updateWebhook', input);
    await queryClient.invalidateQueries(webhooksQuery);
  },
});

/** Gives it another secret, which is told this once. */
export const rotateWebhookSecret = mutationOptions({
  mutationFn: async (webhookId: string) => {
    const made = await call('rotateWebhookSecret', { webhookId });
    void queryClient.invalidateQueries(webhooksQuery);
    return made;
  },
});

/** Removes a webhook. One that is gone already is what was wanted. */
export const deleteWebhook = mutationOptions({
  mutationFn: async ({ webhookId }: Webhook) => {
    await call('deleteWebhook', { webhookId }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'webhook-not-found') throw error;
    });
    await showChanged(webhooksQuery, (list) => list.filter((each) => each.webhookId !== webhookId));
  },
});

export const sendTestEvent = mutationOptions({
  mutationFn: async (webhookId: string) => {
    const sent = await call('sendTestEvent', { webhookId });
    await queryClient.invalidateQueries({ queryKey: ['webhook-log', webhookId] });
    return sent;
  },
});

export const resendDelivery = mutationOptions({
  mutationFn: async (which: CallInput<'resendDelivery'>) => {
    await call('resendDelivery', which);
    await queryClient.invalidateQueries({ queryKey: ['webhook-log', which.webhookId] });
  },
});
