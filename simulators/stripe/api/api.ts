import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { settle } from '../lifecycle/timeline.ts';
import { checkoutRoutes } from '../resources/checkout-sessions/checkout-sessions.ts';
import { customerRoutes } from '../resources/customers/customers.ts';
import { eventRoutes } from '../resources/events/events.ts';
import { apiVersion } from '../resources/events/serialize.ts';
import { invoiceRoutes } from '../resources/invoices/invoices.ts';
import { paymentMethodRoutes } from '../resources/payment-methods/payment-methods.ts';
import { portalSessionRoutes } from '../resources/portal-sessions/portal-sessions.ts';
import { priceRoutes } from '../resources/prices/prices.ts';
import { productRoutes } from '../resources/products/products.ts';
import { scheduleRoutes } from '../resources/schedules/schedules.ts';
import { subscriptionItemRoutes } from '../resources/subscriptions/subscription-items.ts';
import { subscriptionRoutes } from '../resources/subscriptions/subscriptions.ts';
import { webhookEndpointRoutes } from '../resources/webhook-endpoints/webhook-endpoints.ts';
import { newId } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { StripeFailure } from './errors.ts';
import { expand } from './expand.ts';
import { decodeForm } from './form.ts';
import type { Route } from './route.ts';

const routes: Route[] = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  ...scheduleRoutes,
  ...invoiceRoutes,
  ...portalSessionRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
];

const idempotencySeconds = 86_400;

export interface ApiReply {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** Answers one request of the API. */
export function answerApi(world: World, request: IncomingMessage, url: URL, body: string): ApiReply {
  const requestId = newId('req', 14);
  const headers = { 'request-id': requestId, 'stripe-version': apiVersion };
  const header = request.headers['idempotency-key'];
  const key = request.method === 'POST' && typeof header === 'string' ? header : null;
  try {
    authenticate(request);
    settle(world);
    const found = find(request.method ?? 'GET', url.pathname);
    const given = decodeForm(request.method === 'GET' ? url.search.slice(1) : body || url.search.slice(1));
    const fingerprint = createHash('sha256').update(`${url.pathname}\n${body}`).digest('hex');
    const replayed = key === null ? null : replay(world, key, fingerprint);
    if (replayed) {
      return {
        ...replayed,
        headers: { ...headers, 'idempotent-replayed': 'true', ...(key !== null && { 'idempotency-key': key }) },
      };
    }
    const reply = perform(world, found, given, { id: requestId, key });
    const kept = reply.status < 400 || reply.status === 402;
    if (key !== null && kept) {
      world.store.idempotency.set(key, { id: key, created: world.clock.now(), fingerprint, ...reply });
    }
    return { ...reply, headers: { ...headers, ...(key !== null && { 'idempotency-key': key }) } };
  } catch (error) {
    return { ...failure(error, requestId), headers };
  }
}

/** @throws whatever is not an error of the API */
export function failure(error: unknown, requestId: string): { status: number; body: string } {
  if (!(error instanceof StripeFailure)) throw error;
  return { status: error.status, body: JSON.stringify(error.toWire(requestId)) };
}

function perform(
  world: World,
  { route, id }: { route: Route; id: string },
  { expand: paths, ...given }: ReturnType<typeof decodeForm>,
  request: World['request'],
): { status: number; body: string } {
  world.request = request;
  try {
    const result = route.handle(world, given, id);
    const expanded = Array.isArray(paths) ? expand(world, result, paths.map(String)) : result;
    return { status: 200, body: JSON.stringify(expanded) };
  } catch (error) {
    return failure(error, request.id ?? '');
  } finally {
    world.request = { id: null, key: null };
  }
}

function replay(world: World, key: string, fingerprint: string): { status: number; body: string } | null {
  const known = world.store.idempotency.get(key);
  if (!known) return null;
  if (known.created < world.clock.now() - idempotencySeconds) {
    world.store.idempotency.delete(key);
    return null;
  }
  if (known.fingerprint === fingerprint) return { status: known.status, body: known.body };
  throw new StripeFailure(
    400,
    'idempotency_error',
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}

function authenticate(request: IncomingMessage): void {
  const [, key] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (key === undefined) {
    throw new StripeFailure(401, 'invalid_request_error', 'You did not provide an API key.');
  }
  // A live key must never be sent here: whoever does has mixed up two configurations.
  if (!key.startsWith('sk_test_')) {
    throw new StripeFailure(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 8)}***`);
  }
}

function find(method: string, path: string): { route: Route; id: string } {
  for (const route of routes) {
    if (route.method !== method) continue;
    const pattern = route.path.split('/');
    const parts = path.split('/');
    if (pattern.length !== parts.length) continue;
    if (!pattern.every((part, index) => part.startsWith(':') || part === parts[index])) continue;
    const at = pattern.findIndex((part) => part.startsWith(':'));
    return { route, id: at === -1 ? '' : decodeURIComponent(parts[at] ?? '') };
  }
  throw new StripeFailure(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path}).`);
}
