import type Stripe from 'stripe';
import { subscriptionStates } from '#contract/entitlements.ts';
import { planNames } from '#contract/plans.ts';
import { type Catalogue, monthsOf } from './catalogue.ts';
import type { ProviderSubscription } from './port.ts';

/** What is read together with a list of subscriptions. */
export const subscriptionParts = ['data.latest_invoice', 'data.schedule'];

/** Our view of one of the provider's subscriptions. */
export async function readSubscription(
  stripe: Stripe,
  catalogue: Catalogue,
  from: Stripe.Subscription,
): Promise<ProviderSubscription> {
  await catalogue.load();
  const [item] = from.items.data;
  if (!item) throw new Error(`subscription ${from.id} has no items`);
  const { price } = item;
  const state = subscriptionStates.find((each) => each === from.status) ?? 'none';
  const invoice = typeof from.latest_invoice === 'object' ? from.latest_invoice : null;
  const periodEnd = moment(item.current_period_end);
  // A renewal that was never paid has opened a period that nobody has paid for.
  const unpaid = invoice?.status !== 'paid' && invoice?.billing_reason === 'subscription_cycle';
  return {
    id: from.id,
    state,
    plan: await planOf(stripe, price.product),
    priceId: catalogue.idOf(price.id),
    months: monthsOf(price.recurring),
    itemId: item.id,
    periodStart: moment(item.current_period_start),
    periodEnd,
    paidUntil: unpaid ? moment(item.current_period_start) : periodEnd,
    overdueSince: state === 'past_due' ? await overdueSince(stripe, from.id, item.current_period_start) : null,
    endsAt: from.cancel_at === null ? null : moment(from.cancel_at),
    cancelAtPeriodEnd: from.cancel_at_period_end,
    scheduleId: typeof from.schedule === 'string' ? from.schedule : (from.schedule?.id ?? null),
    scheduled: scheduledChange(catalogue, from.schedule, item),
    createdAt: moment(from.created),
  };
}

async function planOf(stripe: Stripe, product: Stripe.Price['product']): Promise<ProviderSubscription['plan']> {
  const known = typeof product === 'string' ? await stripe.products.retrieve(product) : product;
  if (known.deleted) return null;
  return planNames.find((plan) => plan === known.metadata.plan) ?? null;
}

/** When the oldest invoice that waits to be paid was made out. */
async function overdueSince(stripe: Stripe, subscription: string, periodStart: number): Promise<Date> {
  const { data } = await stripe.invoices.list({ subscription, status: 'open', limit: 100 });
  const times = data.map(({ status_transitions: { finalized_at: at }, created }) => at ?? created);
  return moment(Math.min(...(times.length > 0 ? times : [periodStart])));
}

function scheduledChange(
  catalogue: Catalogue,
  schedule: Stripe.Subscription['schedule'],
  item: Stripe.SubscriptionItem,
): ProviderSubscription['scheduled'] {
  if (typeof schedule !== 'object' || schedule?.status !== 'active') return null;
  const next = schedule.phases.find(({ start_date }) => start_date >= item.current_period_end);
  const price = next?.items[0]?.price;
  const priceId = price === undefined ? null : catalogue.idOf(typeof price === 'string' ? price : price.id);
  return next && priceId !== null ? { priceId, at: moment(next.start_date) } : null;
}

function moment(seconds: number): Date {
  return new Date(seconds * 1000);
}
