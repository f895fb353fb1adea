import type Stripe from 'stripe';
import type { CustomerRecord } from '../../world/records.ts';

export function customer(record: CustomerRecord): Stripe.Customer | Stripe.DeletedCustomer {
  if (record.deleted) return { id: record.id, object: 'customer', deleted: true };
  return {
    id: record.id,
    object: 'customer',
    address: null,
    balance: record.balance,
    created: record.created,
    currency: 'usd',
    default_source: null,
    delinquent: false,
    description: record.description,
    discount: null,
    email: record.email,
    invoice_prefix: record.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: record.defaultPaymentMethod,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: record.metadata,
    name: record.name,
    next_invoice_sequence: record.nextInvoice,
    phone: record.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}
