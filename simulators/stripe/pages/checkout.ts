import { chargeCard } from '../lifecycle/collection.ts';
import { priceOf } from '../lifecycle/invoicing.ts';
import { createSubscription } from '../lifecycle/lifecycle.ts';
import { checkoutSession, lineItems } from '../resources/checkout-sessions/serialize.ts';
import { customer as serializeCustomer } from '../resources/customers/serialize.ts';
import { emit } from '../world/events.ts';
import type { CheckoutRecord, CustomerRecord, PaymentMethodRecord } from '../world/records.ts';
import { newId } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { cardOfForm, keepCard } from './card-form.ts';
import {
  alert,
  authenticationFailed,
  authenticationPage,
  cardFields,
  escaped,
  money,
  type PageReply,
  page,
} from './html.ts';

/**
 * The hosted payment page: `GET` shows it, `POST` pays with what its form sends (`card_number, exp_month, exp_year,
 * cvc, name, email`) and leads on to the success URL, or to the bank's page where the card wants that.
 */
export function checkoutPage(
  world: World,
  id: string,
  step: 'pay' | 'authenticate',
  form: Record<string, string> | null,
): PageReply {
  const session = world.store.checkouts.get(id);
  if (!session) return page('Page not found', '<p>This payment page does not exist.</p>', 404);
  if (session.status === 'complete') {
    const back = successUrl(session);
    return form
      ? { redirect: back }
      : page('You have already paid', `<p>This payment is complete. <a href="${escaped(back)}">Continue</a></p>`);
  }
  if (session.status === 'expired') return page('This page has expired', backLink(session), 410);
  if (step === 'authenticate') return authenticate(world, session, form);
  return form ? pay(world, session, form) : show(world, session, {}, null);
}

function pay(world: World, session: CheckoutRecord, form: Record<string, string>): PageReply {
  const card = cardOfForm(world, form);
  if ('message' in card) return show(world, session, form, card.message);
  if (session.customer === null && !session.customerEmail && !form.email?.includes('@')) {
    return show(world, session, form, 'Please enter your email.');
  }
  const result = chargeCard(world, card, 'page');
  if (result.outcome === 'failed') return show(world, session, form, result.message);
  if (result.outcome === 'paid') return complete(world, session, card);
  world.store.paymentMethods.set(card.id, card);
  session.authenticating = card.id;
  return { redirect: `/c/pay/${session.id}/authenticate` };
}

function authenticate(world: World, session: CheckoutRecord, form: Record<string, string> | null): PageReply {
  const card = world.store.paymentMethods.get(session.authenticating ?? '');
  if (!card) return { redirect: `/c/pay/${session.id}` };
  if (!form) return authenticationPage(money(total(world, session)));
  session.authenticating = null;
  if (form.action !== 'complete') return show(world, session, {}, authenticationFailed);
  const result = chargeCard(world, card, 'authenticated');
  return result.outcome === 'failed' ? show(world, session, {}, result.message) : complete(world, session, card);
}

function complete(world: World, session: CheckoutRecord, card: PaymentMethodRecord): PageReply {
  const customer = customerOf(world, session, card);
  keepCard(world, card, customer.id);
  session.customer = customer.id;
  const trialEnd = session.trialDays === null ? null : world.clock.now() + session.trialDays * 86_400;
  const subscription = createSubscription(world, {
    customer: customer.id,
    items: session.lines,
    trialEnd,
    metadata: session.subscriptionMetadata,
    defaultPaymentMethod: card.id,
    behavior: 'allow_incomplete',
    onPage: true,
  });
  session.status = 'complete';
  session.subscription = subscription.id;
  session.invoice = subscription.latestInvoice;
  emit(world, 'checkout.session.completed', checkoutSession(world, session));
  return { redirect: successUrl(session) };
}

function customerOf(world: World, session: CheckoutRecord, card: PaymentMethodRecord): CustomerRecord {
  const known = world.store.customers.get(session.customer ?? '');
  if (known) {
    known.email ??= card.email;
    return known;
  }
  const made: CustomerRecord = {
    id: newId('cus', 14),
    created: world.clock.now(),
    email: session.customerEmail ?? card.email,
    name: card.name,
    description: null,
    phone: null,
    metadata: {},
    defaultPaymentMethod: null,
    balance: 0,
    deleted: false,
    nextInvoice: 1,
  };
  world.store.customers.set(made.id, made);
  emit(world, 'customer.created', serializeCustomer(made));
  return made;
}

function show(world: World, session: CheckoutRecord, form: Record<string, string>, problem: string | null): PageReply {
  const lines = lineItems(world, session).map(({ description, amount_total: amount, price }) => {
    const { recurring } = priceOf(world, { price: price?.id ?? '' });
    const every = recurring ? ` every ${recurring.count === 1 ? '' : `${recurring.count} `}${recurring.interval}` : '';
    return `<li>${escaped(description ?? '')}: ${money(amount)}${every}${recurring && recurring.count > 1 ? 's' : ''}</li>`;
  });
  const email = form.email ?? world.store.customers.get(session.customer ?? '')?.email ?? session.customerEmail ?? '';
  const today = session.trialDays === null ? money(total(world, session)) : money(0);
  return page(
    'Subscribe',
    `${alert(problem)}
<ul>${lines.join('')}</ul>
<p>Due today: <strong>${today}</strong></p>
<form method="post" action="/c/pay/${session.id}">
<label><span>Email</span><input name="email" type="email" autocomplete="email" required value="${escaped(email)}"></label>
${cardFields(form)}
<button type="submit">Subscribe</button>
</form>
${backLink(session)}`,
    problem === null ? 200 : 402,
  );
}

function backLink({ cancelUrl }: CheckoutRecord): string {
  return cancelUrl === null ? '' : `<p><a href="${escaped(cancelUrl)}">Cancel and go back</a></p>`;
}

function successUrl(session: CheckoutRecord): string {
  return session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function total(world: World, session: CheckoutRecord): number {
  return lineItems(world, session).reduce((sum, { amount_total: amount }) => sum + amount, 0);
}
