import Stripe from 'stripe';
import { priceOnSale } from '#contract/plans.ts';
import type { Catalogue } from './catalogue.ts';
import type { Payments } from './port.ts';

/** What may become of a subscription, and what it will cost. */
export function stripeChanges(
  stripe: Stripe,
  catalogue: Catalogue,
): Pick<Payments, 'nextCharge' | 'previewChange' | 'changeNow' | 'changeAtPeriodEnd' | 'cancel' | 'resume'> {
  return {
    async nextCharge(subscription) {
      try {
        const next = await stripe.invoices.createPreview({ subscription });
        const at = next.next_payment_attempt ?? next.period_end;
        return { amount: next.amount_due, currency: next.currency, at: new Date(at * 1000) };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeError && error.code === 'invoice_upcoming_none') return null;
        throw error;
      }
    },

    async previewChange(subscription, priceId, at) {
      const price = await catalogue.find(priceId);
      const preview = await stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: {
          items: [{ id: subscription.itemId, price: price.id }],
          proration_behavior: 'always_invoice',
          proration_date: Math.floor(at.getTime() / 1000),
        },
      });
      return {
        amountDue: preview.amount_due,
        currency: preview.currency,
        lines: preview.lines.data.map(({ description, amount }) => ({ description: description ?? '', amount })),
      };
    },

    async changeNow(subscription, priceId, at) {
      const price = await catalogue.find(priceId);
      // A plan for later would undo the change at the end of the period.
      if (subscription.scheduleId) await stripe.subscriptionSchedules.release(subscription.scheduleId);
      const changed = await stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.itemId, price: price.id }],
        proration_behavior: 'always_invoice',
        proration_date: Math.floor(at.getTime() / 1000),
        payment_behavior: 'pending_if_incomplete',
        expand: ['latest_invoice'],
      });
      const invoice = typeof changed.latest_invoice === 'object' ? changed.latest_invoice : null;
      return { invoiceUrl: changed.pending_update ? (invoice?.hosted_invoice_url ?? null) : null };
    },

    async changeAtPeriodEnd(subscription, priceId) {
      const [price, onSale] = [await catalogue.find(priceId), priceOnSale(priceId)];
      const schedule = subscription.scheduleId
        ? await stripe.subscriptionSchedules.retrieve(subscription.scheduleId)
        : await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
      const now = schedule.current_phase;
      const current = schedule.phases.find(({ start_date }) => start_date === now?.start_date) ?? schedule.phases[0];
      if (!current || !onSale) throw new Error('the schedule has no present phase');
      await stripe.subscriptionSchedules.update(schedule.id, {
        end_behavior: 'release',
        phases: [
          {
            items: current.items.map((item) => ({ price: idOf(item.price), quantity: item.quantity ?? 1 })),
            start_date: current.start_date,
            end_date: Math.floor(subscription.periodEnd.getTime() / 1000),
          },
          {
            items: [{ price: price.id, quantity: 1 }],
            duration: { interval: 'month', interval_count: onSale.months },
            proration_behavior: 'none',
          },
        ],
      });
    },

    async cancel(subscription) {
      if (subscription.scheduleId) await stripe.subscriptionSchedules.release(subscription.scheduleId);
      await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    },

    async resume(subscription) {
      if (subscription.scheduleId) await stripe.subscriptionSchedules.release(subscription.scheduleId);
      if (subscription.cancelAtPeriodEnd) {
        await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
      } else if (subscription.endsAt) await stripe.subscriptions.update(subscription.id, { cancel_at: '' });
    },
  };
}

function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
