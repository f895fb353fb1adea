import { chargeCard } from '../lifecycle/collection.ts';
import { priceOf, subscriptionChange } from '../lifecycle/invoicing.ts';
import { changeItems } from '../lifecycle/item-changes.ts';
import { releaseSchedule } from '../lifecycle/schedule-phases.ts';
import { customer as serializeCustomer } from '../resources/customers/serialize.ts';
import { emitChange } from '../world/events.ts';
import type { CustomerRecord, PortalRecord, SubscriptionRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { cardOfForm, keepCard } from './card-form.ts';
import { alert, cardFields, date, escaped, money, type PageReply, page } from './html.ts';

/** The customer's own page: plan, card, cancellation, invoices. */
export function portalPage(world: World, id: string, form: Record<string, string> | null): PageReply {
  const session = world.store.portals.get(id);
  const customer = world.store.customers.get(session?.customer ?? '');
  if (!session || !customer) return page('Page not found', '<p>This page does not exist.</p>', 404);
  const subscription = currentSubscription(world, customer.id);
  if (!form) return show(world, session, customer, subscription, null);
  const problem = act(world, customer, subscription, form);
  if (problem !== null) return show(world, session, customer, subscription, problem);
  return { redirect: `/p/session/${id}` };
}

/** Does what a button asks for; answers with what went wrong. */
function act(
  world: World,
  customer: CustomerRecord,
  subscription: SubscriptionRecord | undefined,
  form: Record<string, string>,
): string | null {
  if (form.action === 'card') {
    const card = cardOfForm(world, form);
    if ('message' in card) return card.message;
    if (chargeCard(world, card, 'authenticated').outcome === 'failed') return 'Your card was declined.';
    keepCard(world, card, customer.id);
    emitChange(
      world,
      'customer.updated',
      () => serializeCustomer(customer),
      () => {
        customer.defaultPaymentMethod = card.id;
      },
    );
    if (subscription)
      subscriptionChange(world, subscription, () => {
        subscription.defaultPaymentMethod = card.id;
      });
    return null;
  }
  if (!subscription) return 'There is no subscription.';
  const schedule = world.store.schedules.get(subscription.schedule ?? '');
  if (schedule?.status === 'active') releaseSchedule(world, schedule);
  if (form.action === 'cancel' || form.action === 'renew') {
    subscriptionChange(world, subscription, () => {
      subscription.cancelAtPeriodEnd = form.action === 'cancel';
      subscription.canceledAt = subscription.cancelAtPeriodEnd ? world.clock.now() : null;
      subscription.cancellation.reason = subscription.cancelAtPeriodEnd ? 'cancellation_requested' : null;
    });
    return null;
  }
  const price = world.store.prices.get(form.price ?? '');
  if (form.action !== 'plan' || !price?.active || !price.recurring) return 'This plan is not available.';
  changeItems(world, subscription, {
    items: subscription.items.map((item) => ({ ...item, price: price.id })),
    proration: 'always_invoice',
    behavior: 'allow_incomplete',
  });
  return null;
}

function currentSubscription(world: World, customer: string): SubscriptionRecord | undefined {
  return [...world.store.subscriptions.values()].findLast(
    (each) => each.customer === customer && each.endedAt === null && each.status !== 'incomplete',
  );
}

function show(
  world: World,
  session: PortalRecord,
  customer: CustomerRecord,
  subscription: SubscriptionRecord | undefined,
  problem: string | null,
): PageReply {
  const action = `/p/session/${session.id}`;
  const invoices = [...world.store.invoices.values()]
    .filter((each) => each.customer === customer.id)
    .reverse()
    .map(
      ({ id, created, number, status }) =>
        `<li><a href="/i/${id}">${escaped(number ?? id)}</a>, ${date(created)}: ${escaped(status)}</li>`,
    );
  const card = world.store.paymentMethods.get(
    subscription?.defaultPaymentMethod ?? customer.defaultPaymentMethod ?? '',
  );
  const back = session.returnUrl === null ? '' : `<p><a href="${escaped(session.returnUrl)}">Return</a></p>`;
  return page(
    'Your subscription',
    `${alert(problem)}
${back}
${subscription ? plan(world, subscription, action) : '<p>There is no subscription.</p>'}
<h2>Card</h2>
<p>${card ? `${escaped(card.brand)} ending in ${card.last4}` : 'No card is kept.'}</p>
<form method="post" action="${action}">
${cardFields({})}
<button name="action" value="card">Change card</button>
</form>
<h2>Invoices</h2>
<ul>${invoices.join('')}</ul>`,
    problem === null ? 200 : 402,
  );
}

function plan(world: World, subscription: SubscriptionRecord, action: string): string {
  const current = priceOf(world, subscription.items[0] ?? { price: '' });
  const choices = [...world.store.prices.values()]
    .filter(({ active, recurring, product }) => active && recurring && world.store.products.get(product)?.active)
    .map(({ id, product, unitAmount, recurring }) => {
      const name = world.store.products.get(product)?.name ?? product;
      const every = `${recurring?.count} ${recurring?.interval}`;
      return `<label><input type="radio" name="price" value="${id}"${id === current.id ? ' checked' : ''}> ${escaped(name)}: ${money(unitAmount)} per ${every}</label>`;
    });
  const ends = subscription.cancelAtPeriodEnd;
  return `<p>${escaped(world.store.products.get(current.product)?.name ?? '')}, ${escaped(subscription.status)};
${ends ? 'ends' : 'renews'} on ${date(subscription.periodEnd)}</p>
<form method="post" action="${action}">
${choices.join('\n')}
<button name="action" value="plan">Change plan</button>
</form>
<form method="post" action="${action}">
<button name="action" value="${ends ? 'renew' : 'cancel'}">${ends ? 'Renew subscription' : 'Cancel subscription'}</button>
</form>`;
}
