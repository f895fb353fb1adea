import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from '../drizzle.ts';
import { createdAt, instant } from './columns.ts';
import { companyId } from './companies.ts';
import { ofCompany } from './policies.ts';

/** A projection of the payment provider's record; absent means state `none`. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    companyId: companyId().primaryKey(),
    state: text('state').notNull(),
    plan: text('plan'),
    currentPeriodEnd: instant('current_period_end'),
    pastDueSince: instant('past_due_since'),
    /** The provider's id of it. */
    subscriptionId: text('subscription_id'),
    /** Of our catalogue; null for a price that is not in it (any more). */
    priceId: text('price_id'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** When it ends, where that has been decided. */
    endsAt: instant('ends_at'),
    /** Given by whoever runs the service; comes before everything that the provider says. */
    grantedPlan: text('granted_plan'),
    /** When the first payment was made, or the plan given; null: never yet. */
    paidAt: instant('paid_at'),
    /** What the admins were last mailed about, so that nothing is mailed twice. */
    notified: text('notified'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  () => [ofCompany()],
);

/** The company's customer at the payment provider: one for each, bound for good. */
export const paymentCustomers = pgTable(
  'payment_customers',
  {
    companyId: companyId().primaryKey(),
    customerId: text('customer_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('payment_customers_customer').on(t.customerId), ofCompany()],
);

/** Events of the provider that have been taken, so that each counts once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    companyId: companyId(),
    id: text('id').notNull(),
    type: text('type').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), index('payment_events_received').on(t.receivedAt), ofCompany()],
);
