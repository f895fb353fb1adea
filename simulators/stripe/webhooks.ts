import { createHmac } from 'node:crypto';
import { event as serialize } from './resources/events/serialize.ts';
import type { EndpointRecord, EventRecord } from './world/records.ts';
import type { World } from './world/world.ts';

/** The provider gives up after three days. */
const givenUpMs = 3 * 86_400_000;
const atOnce = 50;
const answerMs = 10_000;

interface Delivery {
  event: string;
  endpoint: string;
  attempt: number;
  /** By the clock of deliveries, milliseconds. */
  first: number;
  due: number;
}

export interface Webhooks {
  /** Sends an event to every endpoint that wants it. */
  send(eventId: string): void;
  /** Looks again at what is due: after the clock was moved, or faults were changed. */
  wake(): void;
  /** Resolves when nothing is being sent or waits to be sent, other than what a fault holds back. */
  delivered(): Promise<void>;
  stop(): Promise<void>;
}

/** Delivers events as signed POSTs until the endpoint answers 2xx, in the background. */
export function createWebhooks(world: World): Webhooks {
  const waiting = new Set<Delivery>();
  const sending = new Set<Promise<void>>();
  const held: EventRecord[] = [];
  let watchers: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function send(eventId: string): void {
    const event = world.store.events.get(eventId);
    if (!event) return;
    const wanting = [...world.store.endpoints.values()].filter((endpoint) => wants(endpoint, event.type));
    event.undelivered = wanting.map(({ id }) => id);
    if (wanting.length === 0) return;
    const { faults } = world;
    if (faults.dropEvents > 0) {
      faults.dropEvents -= 1;
      return;
    }
    if (faults.reorderEvents > 0) {
      held.push(event);
      if (held.length >= faults.reorderEvents) release();
      return;
    }
    enqueue(event);
  }

  function enqueue(event: EventRecord): void {
    const now = world.clock.deliveryNow();
    for (const endpoint of event.undelivered) {
      for (let copy = 0; copy <= world.faults.duplicateEvents; copy++) {
        const due = now + world.faults.delayEventsMs;
        waiting.add({ event: event.id, endpoint, attempt: 0, first: now, due });
      }
    }
    wake();
  }

  function release(): void {
    for (const event of held.splice(0).reverse()) enqueue(event);
  }

  function wake(): void {
    if (world.faults.reorderEvents === 0 && held.length > 0) release();
    clearTimeout(timer);
    if (stopped) return;
    const now = world.clock.deliveryNow();
    let next = Infinity;
    for (const delivery of waiting) {
      if (delivery.due > now) next = Math.min(next, delivery.due);
      else if (sending.size < atOnce) {
        waiting.delete(delivery);
        const sent: Promise<void> = attempt(delivery).finally(() => {
          sending.delete(sent);
          wake();
        });
        sending.add(sent);
      }
    }
    if (next !== Infinity) timer = setTimeout(wake, Math.min(next - now, 60_000)).unref();
    if (waiting.size === 0 && sending.size === 0) {
      for (const done of watchers) done();
      watchers = [];
    }
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const event = world.store.events.get(delivery.event);
    const endpoint = world.store.endpoints.get(delivery.endpoint);
    if (!event || endpoint?.status !== 'enabled') return;
    if (await post(endpoint, JSON.stringify(serialize(event)))) {
      event.undelivered = event.undelivered.filter((id) => id !== endpoint.id);
      return;
    }
    const now = world.clock.deliveryNow();
    if (now - delivery.first > givenUpMs) return;
    const due = now + world.settings.redeliveryMs(delivery.attempt);
    waiting.add({ ...delivery, attempt: delivery.attempt + 1, due });
  }

  return {
    send,
    wake,
    delivered: () =>
      new Promise((resolve) => {
        watchers.push(resolve);
        wake();
      }),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.allSettled(sending);
    },
  };
}

/** The header that says who sent a payload, and when. */
export function signature(payload: string, secret: string, at: number): string {
  const digest = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${digest}`;
}

async function post(endpoint: EndpointRecord, payload: string): Promise<boolean> {
  try {
    // Real time, whatever the clock says: the receiver compares it with its own.
    const header = signature(payload, endpoint.secret, Math.floor(Date.now() / 1000));
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
      body: payload,
      signal: AbortSignal.timeout(answerMs),
      redirect: 'manual',
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function wants({ status, enabledEvents }: EndpointRecord, type: string): boolean {
  return status === 'enabled' && (enabledEvents.includes('*') || enabledEvents.includes(type));
}
