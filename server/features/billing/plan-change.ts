import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { type PriceOnSale, priceOnSale } from '#contract/plans.ts';
import { type AuditActor, audit } from '#server/features/audit/audit.ts';
import { lockCompany } from '#server/features/identity/people.ts';
import type { ProviderSubscription } from '#server/ports/payments/port.ts';
import { customerOf } from './customer.ts';
import type { PaymentDeps } from './deps.ts';
import { quote } from './quote-change.ts';
import { requireSeatsIn } from './seats.ts';
import { currentOf } from './sync.ts';

/** How long a preview can be confirmed. */
const quoteMs = 3_600_000;

type Preview = CallOutput<'previewPlanChange'>;

/** Changes of a subscription that runs. A larger plan comes at once, a smaller one with the next period. */
export function createPlanChange({ db, payments, inTurn, sync, clock }: PaymentDeps) {
  return {
    /**
     * @throws AppError `unknown-price`, `no-subscription`, `payment-overdue`, `subscription-ending`, `same-plan`,
     *   `seats-in-use`, `unavailable`
     */
    async preview(companyId: string, priceId: string): Promise<Preview> {
      const price = onSale(priceId);
      const customerId = await db.asCompany(companyId, (tx) => customerOf(tx, companyId));
      // No transaction is open while the provider is asked: many previews would take every connection.
      const subscription = await changeable(customerId, price);
      await db.asCompany(companyId, (tx) => requireSeatsIn(tx, companyId, price.plan));
      return quote(payments, subscription, price, wholeSeconds(clock()));
    },

    /**
     * Changes the plan as it was previewed.
     * @throws AppError as `preview`; `quote-outdated` when something else would be charged than was shown
     */
    async change(
      by: AuditActor,
      { priceId, amountDue, prorationDate }: ParsedInput<'changePlan'>,
    ): Promise<CallOutput<'changePlan'>> {
      const { companyId } = by;
      const at = new Date(prorationDate * 1000);
      const age = clock().getTime() - at.getTime();
      if (age > quoteMs || age < -60_000) throw new AppError('quote-outdated');
      return inTurn(companyId, async (tx) => {
        const price = onSale(priceId);
        const subscription = await changeable(await customerOf(tx, companyId), price);
        // Nobody may come in between counting and changing.
        await lockCompany(tx, companyId);
        await requireSeatsIn(tx, companyId, price.plan);
        const fresh = await quote(payments, subscription, price, at);
        if (fresh.amountDue !== amountDue) throw new AppError('quote-outdated');
        const details = { from: subscription.priceId, to: priceId, when: fresh.when, amountDue };
        await audit(tx, { action: 'plan-changed', by, target: priceId, details });
        if (fresh.when === 'period-end') {
          await payments.changeAtPeriodEnd(subscription, priceId);
          return { status: 'scheduled' as const, url: null };
        }
        const { invoiceUrl: url } = await payments.changeNow(subscription, priceId, at);
        await sync.write(tx, companyId);
        return { status: url === null ? ('changed' as const) : ('payment-required' as const), url };
      });
    },

    /** Canceled already is fine. @throws AppError `no-subscription`, `unavailable` */
    async cancel(by: AuditActor): Promise<CallOutput<'cancelSubscription'>> {
      return inTurn(by.companyId, async (tx) => {
        const subscription = await running(await customerOf(tx, by.companyId));
        if (subscription.endsAt) return { endsAt: subscription.endsAt.toISOString() };
        const endsAt = subscription.periodEnd.toISOString();
        await audit(tx, { action: 'subscription-canceled', by, details: { endsAt } });
        await payments.cancel(subscription);
        await sync.write(tx, by.companyId);
        return { endsAt };
      });
    },

    /** Nothing to take back is fine. @throws AppError `no-subscription`, `unavailable` */
    async resume(by: AuditActor): Promise<null> {
      return inTurn(by.companyId, async (tx) => {
        const subscription = await running(await customerOf(tx, by.companyId));
        if (!subscription.endsAt && !subscription.scheduled) return null;
        await audit(tx, { action: 'subscription-resumed', by });
        await payments.resume(subscription);
        await sync.write(tx, by.companyId);
        return null;
      });
    },
  };

  /** The customer's subscription, read from the provider. @throws AppError `no-subscription` */
  async function running(customerId: string | null): Promise<ProviderSubscription> {
    const found = customerId === null ? null : currentOf(await payments.subscriptions(customerId));
    if (!found || !runningStates.includes(found.state)) throw new AppError('no-subscription');
    return found;
  }

  /** The customer's subscription, where it can be changed to the price. */
  async function changeable(customerId: string | null, { id: priceId }: PriceOnSale): Promise<ProviderSubscription> {
    const subscription = await running(customerId);
    if (subscription.state !== 'active' && subscription.state !== 'trialing') throw new AppError('payment-overdue');
    if (subscription.endsAt) throw new AppError('subscription-ending');
    if (subscription.priceId === priceId) throw new AppError('same-plan');
    return subscription;
  }
}

function onSale(priceId: string): PriceOnSale {
  const price = priceOnSale(priceId);
  if (!price) throw new AppError('unknown-price');
  return price;
}

const runningStates = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];

/** A change that waits for the end of the period, as the screens show it. */
export function scheduledChange({ scheduled }: ProviderSubscription): CallOutput<'getBilling'>['scheduled'] {
  const price = scheduled && priceOnSale(scheduled.priceId);
  if (!scheduled || !price) return null;
  const { id: priceId, plan, period } = price;
  return { when: 'period-end', at: scheduled.at.toISOString(), priceId, plan, period };
}

function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
