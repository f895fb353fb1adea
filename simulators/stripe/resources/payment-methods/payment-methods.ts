import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest, StripeFailure } from '../../api/errors.ts';
import { clearable, metadata, params, text, whole } from '../../api/form.ts';
import { page, paging, route } from '../../api/route.ts';
import { numberOfToken, readCard } from '../../lifecycle/cards.ts';
import { emit } from '../../world/events.ts';
import type { PaymentMethodRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { liveCustomer } from '../customers/live-customer.ts';
import { paymentMethod as serialize } from './serialize.ts';

export const paymentMethodRoutes = [
  ...(['/v1/payment_methods', '/v1/customers/:id/payment_methods'] as const).map((path) =>
    route(
      'GET',
      path,
      params<Stripe.PaymentMethodListParams>()({
        ...paging,
        customer: text.optional(),
        type: z.literal('card').optional(),
      }),
      (world, input, id) => {
        const customer = id || input.customer;
        const found = [...world.store.paymentMethods.values()].filter((each) => each.customer === (customer ?? null));
        return page(customer === undefined ? [] : found, input, '/v1/payment_methods', serialize);
      },
    ),
  ),

  route(
    'POST',
    '/v1/payment_methods',
    params<Stripe.PaymentMethodCreateParams>()({
      type: z.literal('card'),
      card: z.strictObject({
        token: text.optional(),
        number: text.optional(),
        exp_month: whole.optional(),
        exp_year: whole.optional(),
        cvc: text.optional(),
      }),
      billing_details: z.strictObject({ email: clearable.optional(), name: clearable.optional() }).optional(),
      metadata: metadata.optional(),
    }),
    (world, { card, billing_details: billing }) => {
      const number = card.token === undefined ? card.number : numberOfToken(card.token);
      if (number === undefined) throw invalidRequest(`No such token: '${card.token}'`, { param: 'card[token]' });
      const whose = { name: billing?.name ?? null, email: billing?.email ?? null };
      return serialize(newCard(world, { ...card, ...whose, number }));
    },
  ),

  route('GET', '/v1/payment_methods/:id', z.strictObject({}), (world, _input, id) =>
    serialize(existing(world.store.paymentMethods.get(id), 'PaymentMethod', id)),
  ),

  route(
    'POST',
    '/v1/payment_methods/:id/attach',
    params<Stripe.PaymentMethodAttachParams>()({ customer: text }),
    (world, input, id) => serialize(attach(world, id, liveCustomer(world, input.customer).id)),
  ),

  route('POST', '/v1/payment_methods/:id/detach', z.strictObject({}), (world, _input, id) => {
    const record = existing(world.store.paymentMethods.get(id), 'PaymentMethod', id);
    for (const customer of world.store.customers.values()) {
      if (customer.defaultPaymentMethod === id) customer.defaultPaymentMethod = null;
    }
    for (const subscription of world.store.subscriptions.values()) {
      if (subscription.defaultPaymentMethod === id) subscription.defaultPaymentMethod = null;
    }
    record.customer = null;
    emit(world, 'payment_method.detached', serialize(record));
    return serialize(record);
  }),
];

/** Makes a card of what was sent. @throws StripeFailure of a card */
function newCard(
  world: World,
  given: {
    number: string;
    exp_month?: number | undefined;
    exp_year?: number | undefined;
    cvc?: string | undefined;
    name: string | null;
    email: string | null;
  },
): PaymentMethodRecord {
  const inTenYears = new Date(world.clock.now() * 1000).getUTCFullYear() + 10;
  const { number, name, email } = given;
  const card = readCard(
    {
      number,
      name,
      email,
      expMonth: given.exp_month ?? 12,
      expYear: given.exp_year ?? inTenYears,
      cvc: given.cvc ?? '123',
    },
    world.clock.now(),
  );
  if ('message' in card) throw new StripeFailure(402, 'card_error', card.message, { code: card.code });
  world.store.paymentMethods.set(card.id, card);
  return card;
}

/** Gives a card to a customer; a ready-made one (`pm_card_visa`) becomes a card of its own. */
export function attach(world: World, id: string, customer: string): PaymentMethodRecord {
  const number = numberOfToken(id);
  const card =
    number !== undefined
      ? newCard(world, { number, name: null, email: null })
      : existing(world.store.paymentMethods.get(id), 'PaymentMethod', id, 'payment_method');
  if (card.customer !== null && card.customer !== customer) {
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    });
  }
  // Of a card that can't be charged at all, the bank refuses to be attached too.
  if (card.behaviour === 'declines' || card.behaviour === 'insufficient-funds') {
    throw new StripeFailure(402, 'card_error', 'Your card was declined.', {
      code: 'card_declined',
      declineCode: card.behaviour === 'declines' ? 'generic_decline' : 'insufficient_funds',
    });
  }
  card.customer = customer;
  emit(world, 'payment_method.attached', serialize(card));
  return card;
}

/** The id of a card of this customer's. @throws StripeFailure when it is not */
export function ownCard(world: World, id: string, customer: string): string {
  const card = existing(world.store.paymentMethods.get(id), 'PaymentMethod', id, 'default_payment_method');
  if (card.customer !== customer) {
    throw invalidRequest(`The customer does not have a payment method with the ID ${id}.`, {
      code: 'resource_missing',
      param: 'default_payment_method',
    });
  }
  return card.id;
}
