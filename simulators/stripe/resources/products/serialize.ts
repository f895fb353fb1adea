import type Stripe from 'stripe';
import type { ProductRecord } from '../../world/records.ts';

export function product(record: ProductRecord): Stripe.Product {
  return {
    id: record.id,
    object: 'product',
    active: record.active,
    created: record.created,
    default_price: null,
    description: record.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: record.metadata,
    name: record.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: record.updated,
    url: null,
  };
}
