import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { type PriceOnSale, priceOnSale } from '#contract/plans.ts';
import type { Config } from '#server/config/config.ts';
import type { Tx } from '#server/db/db.ts';
import { subscriptionOf } from './billing.ts';
import { customerOf, ensureCustomer } from './customer.ts';
import type { PaymentDeps } from './deps.ts';
import { requireSeatsIn } from './seats.ts';
import { currentOf } from './sync.ts';

/** Whose payment page it is. */
export interface Payer {
  companyId: string;
  email: string;
}

/** A sign-up waits so long for the payment page; after that the admin gets it from the pricing page. */
const signUpTimeoutMs = 20_000;

/** The way to the provider's payment page. */
export function createCheckout(deps: PaymentDeps) {
  const { db, payments, inTurn, config, log } = deps;

  return {
    open,

    /** The same as a part of signing up: the account stays whatever becomes of it, so it never throws. */
    async openAtSignUp(
      payer: Payer,
      priceId: string,
    ): Promise<Pick<CallOutput<'signUp'>, 'checkout' | 'checkoutError'>> {
      const late = new AppError('unavailable', { message: messages.signup.checkoutFailed });
      const deadline = Promise.withResolvers<never>();
      const timer = setTimeout(() => deadline.reject(late), signUpTimeoutMs);
      try {
        return { checkout: await Promise.race([open(payer, priceId), deadline.promise]) };
      } catch (err) {
        log.warn({ err, companyId: payer.companyId }, 'no payment page at sign-up');
        const told = err instanceof AppError && err.status !== 'UNAVAILABLE' ? err.message : null;
        return { checkoutError: told ?? messages.signup.checkoutFailed };
      } finally {
        clearTimeout(timer);
      }
    },

    /**
     * The provider's page for card, invoices and plan; it leads back to the settings.
     * @throws AppError `no-subscription` for a company that has never paid, `unavailable`
     */
    async portal(companyId: string): Promise<CallOutput<'createPortalSession'>> {
      const customerId = await db.asCompany(companyId, (tx) => customerOf(tx, companyId));
      if (customerId === null) throw new AppError('no-subscription');
      const returnUrl = `${config.publicUrl}/admin/settings/billing?from=portal`;
      return { url: await payments.createPortal({ customerId, returnUrl }) };
    },
  };

  /**
   * Opens the payment page of a price on sale, or gives the one again that is open for it already.
   * @throws AppError `unknown-price`, `already-subscribed`, `payment-overdue`, `seats-in-use`, `unavailable`
   */
  async function open(payer: Payer, priceId: string): Promise<CallOutput<'createCheckoutSession'>> {
    const price = priceOnSale(priceId);
    if (!price) throw new AppError('unknown-price');
    // On its own, so that the customer is known when the first event of it comes.
    const customerId = await inTurn(payer.companyId, (tx) => ensureCustomer(tx, payments, payer));
    return inTurn(payer.companyId, (tx) => openFor(tx, payer, price, customerId));
  }

  async function openFor(tx: Tx, { companyId }: Payer, price: PriceOnSale, customerId: string) {
    const pages = await payments.openCheckouts(customerId);
    const same = pages.find(({ priceId }) => priceId === price.id);
    // Two pages that can both be paid would be two subscriptions. Closed before looking whether one has just been paid.
    for (const { id } of pages) if (id !== same?.id) await payments.closeCheckout(id);
    const before = await payments.subscriptions(customerId);
    requirePayable(currentOf(before)?.state ?? 'none');
    if ((await subscriptionOf(tx, companyId)).granted) throw new AppError('already-subscribed');
    await requireSeatsIn(tx, companyId, price.plan);
    const { publicUrl } = config;
    const page =
      same ??
      (await payments.createCheckout({
        customerId,
        companyId,
        priceId: price.id,
        successUrl: `${publicUrl}/profile?session_id={CHECKOUT_SESSION_ID}`,
        cancelUrl: `${publicUrl}/pricing`,
        trialDays: trialOf(config, before.length),
      }));
    return { sessionId: page.id, url: page.url };
  }
}

function requirePayable(state: string): void {
  if (state === 'active' || state === 'trialing') throw new AppError('already-subscribed');
  if (state === 'past_due' || state === 'unpaid' || state === 'paused') throw new AppError('payment-overdue');
}

/** Once, at the first subscription. */
function trialOf({ trialDays }: Pick<Config, 'trialDays'>, subscriptionsBefore: number): number | null {
  return trialDays > 0 && subscriptionsBefore === 0 ? trialDays : null;
}
