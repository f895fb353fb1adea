import type { CallOutput } from '#contract/calls.ts';
import { currency, isUpgrade, type PriceOnSale } from '#contract/plans.ts';
import type { Payments, ProviderSubscription } from '#server/ports/payments/port.ts';

type Preview = CallOutput<'previewPlanChange'>;

/** What a change would cost, and when it would come. */
export async function quote(
  payments: Payments,
  subscription: ProviderSubscription,
  price: PriceOnSale,
  at: Date,
): Promise<Preview> {
  const { plan, months, state, periodEnd } = subscription;
  const { period } = price;
  const common = { priceId: price.id, plan: price.plan, period, currency, nextAmount: price.amount };
  const prorationDate = at.getTime() / 1000;
  if (!isUpgrade({ plan: plan ?? 'basic', months }, price)) {
    const free = { amountDue: 0, lines: [], prorationDate };
    return { ...common, ...free, when: 'period-end', at: periodEnd.toISOString() };
  }
  // Nothing has been paid on trial, so there is nothing to settle.
  const due =
    state === 'trialing'
      ? { amountDue: 0, lines: [], currency }
      : await payments.previewChange(subscription, price.id, at);
  return { ...common, ...due, prorationDate, when: 'now', at: at.toISOString() };
}
