import type Stripe from 'stripe';
import type { PaymentMethodRecord } from '../../world/records.ts';

export function paymentMethod(record: PaymentMethodRecord): Stripe.PaymentMethod {
  return {
    id: record.id,
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: record.email, name: record.name, phone: null, tax_id: null },
    card: {
      brand: record.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: record.brand,
      exp_month: record.expMonth,
      exp_year: record.expYear,
      fingerprint: `sim${record.last4}`,
      funding: 'credit',
      generated_from: null,
      last4: record.last4,
      networks: { available: [record.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: record.created,
    customer: record.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}
