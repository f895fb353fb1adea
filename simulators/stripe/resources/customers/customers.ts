import type Stripe from 'stripe';
import { z } from 'zod';
import { existing } from '../../api/errors.ts';
import { clearable, metadata, params, text, whole } from '../../api/form.ts';
import { merged, page, paging, route } from '../../api/route.ts';
import { cancelNow } from '../../lifecycle/collection.ts';
import { emit, emitChange } from '../../world/events.ts';
import type { CustomerRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import type { World } from '../../world/world.ts';
import { attach, ownCard } from '../payment-methods/payment-methods.ts';
import { liveCustomer } from './live-customer.ts';
import { customer as serialize } from './serialize.ts';

const shared = {
  email: clearable.optional(),
  name: clearable.optional(),
  description: clearable.optional(),
  phone: clearable.optional(),
  metadata: metadata.optional(),
  balance: whole.optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable.optional() }).optional(),
};

export const customerRoutes = [
  route(
    'POST',
    '/v1/customers',
    params<Stripe.CustomerCreateParams>()({ ...shared, payment_method: text.optional() }),
    (world, input) => {
      const record: CustomerRecord = {
        id: newId('cus', 14),
        created: world.clock.now(),
        email: input.email ?? null,
        name: input.name ?? null,
        description: input.description ?? null,
        phone: input.phone ?? null,
        metadata: merged({}, input.metadata),
        defaultPaymentMethod: null,
        balance: input.balance ?? 0,
        deleted: false,
        nextInvoice: 1,
      };
      world.store.customers.set(record.id, record);
      if (input.payment_method !== undefined) attach(world, input.payment_method, record.id);
      setDefault(world, record, input.invoice_settings?.default_payment_method);
      emit(world, 'customer.created', serialize(record));
      return serialize(record);
    },
  ),

  route('GET', '/v1/customers/:id', z.strictObject({}), (world, _input, id) =>
    serialize(existing(world.store.customers.get(id), 'customer', id)),
  ),

  route('POST', '/v1/customers/:id', params<Stripe.CustomerUpdateParams>()(shared), (world, input, id) => {
    const record = liveCustomer(world, id);
    emitChange(
      world,
      'customer.updated',
      () => serialize(record),
      () => {
        for (const key of ['email', 'name', 'description', 'phone'] as const) {
          const value = input[key];
          if (value !== undefined) record[key] = value;
        }
        record.metadata = merged(record.metadata, input.metadata);
        record.balance = input.balance ?? record.balance;
        setDefault(world, record, input.invoice_settings?.default_payment_method);
      },
    );
    return serialize(record);
  }),

  route('DELETE', '/v1/customers/:id', z.strictObject({}), (world, _input, id) => {
    const record = liveCustomer(world, id);
    for (const subscription of world.store.subscriptions.values()) {
      if (subscription.customer === id && subscription.endedAt === null) {
        cancelNow(world, subscription, 'cancellation_requested');
      }
    }
    record.deleted = true;
    emit(world, 'customer.deleted', serialize(record));
    return serialize(record);
  }),

  route(
    'GET',
    '/v1/customers',
    params<Stripe.CustomerListParams>()({ ...paging, email: text.optional() }),
    (world, input) => {
      const found = [...world.store.customers.values()].filter(
        ({ deleted, email }) => !deleted && (input.email === undefined || email === input.email),
      );
      return page(found, input, '/v1/customers', serialize);
    },
  ),
];

function setDefault(world: World, record: CustomerRecord, id: string | null | undefined): void {
  if (id === undefined) return;
  record.defaultPaymentMethod = id === null ? null : ownCard(world, id, record.id);
}
