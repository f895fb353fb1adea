import { amounts } from '../lifecycle/amounts.ts';
import { attemptPayment, cardFor, chargeCard } from '../lifecycle/collection.ts';
import type { InvoiceRecord, PaymentMethodRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { cardOfForm, keepCard } from './card-form.ts';
import {
  alert,
  authenticationFailed,
  authenticationPage,
  cardFields,
  date,
  escaped,
  money,
  type PageReply,
  page,
} from './html.ts';

/** The hosted page of an invoice, on which an open one can be paid. */
export function invoicePage(
  world: World,
  id: string,
  step: 'pay' | 'authenticate',
  form: Record<string, string> | null,
): PageReply {
  const invoice = world.store.invoices.get(id);
  if (!invoice || invoice.status === 'draft') return page('Page not found', '<p>There is no such invoice.</p>', 404);
  if (step === 'authenticate') {
    if (!form) return authenticationPage(money(amounts(invoice).due));
    const card = cardFor(world, invoice);
    if (form.action !== 'complete' || !card) return show(world, invoice, {}, authenticationFailed);
    return pay(world, invoice, card, 'authenticated');
  }
  if (!form) return show(world, invoice, {}, null);
  if (form.action === 'saved') return pay(world, invoice, cardFor(world, invoice), 'page');
  const card = cardOfForm(world, form);
  if ('message' in card) return show(world, invoice, form, card.message);
  const refused = chargeCard(world, card, 'page');
  if (refused.outcome === 'failed') return show(world, invoice, form, refused.message);
  keepCard(world, card, invoice.customer);
  const subscription = world.store.subscriptions.get(invoice.subscription);
  if (subscription) subscription.defaultPaymentMethod = card.id;
  return pay(world, invoice, card, 'page');
}

function pay(
  world: World,
  invoice: InvoiceRecord,
  card: PaymentMethodRecord | undefined,
  where: 'page' | 'authenticated',
): PageReply {
  if (invoice.status !== 'open') return { redirect: `/i/${invoice.id}` };
  const result = chargeCard(world, card, where);
  if (result.outcome === 'authentication') return { redirect: `/i/${invoice.id}/authenticate` };
  if (result.outcome === 'failed') return show(world, invoice, {}, result.message);
  attemptPayment(world, invoice, 'authenticated', card);
  return { redirect: `/i/${invoice.id}` };
}

function show(world: World, invoice: InvoiceRecord, form: Record<string, string>, problem: string | null): PageReply {
  const { total, due, remaining } = amounts(invoice);
  const lines = invoice.lines.map(
    ({ description, amount, start, end }) =>
      `<tr><td>${escaped(description)}<br><small>${date(start)} to ${date(end)}</small></td><td>${money(amount)}</td></tr>`,
  );
  const saved = cardFor(world, invoice);
  const content = `${alert(problem)}
<p>${date(invoice.created)}: ${escaped(invoice.status)}</p>
<table>${lines.join('')}
<tr><td>Total</td><td>${money(total)}</td></tr>
<tr><td>Credit used</td><td>${money(due - Math.max(0, total))}</td></tr>
<tr><td>Amount due</td><td><strong>${money(remaining)}</strong></td></tr></table>`;
  const pays =
    invoice.status !== 'open'
      ? ''
      : `${saved ? `<form method="post" action="/i/${invoice.id}"><button name="action" value="saved">Pay with the card ending in ${saved.last4}</button></form>` : ''}
<form method="post" action="/i/${invoice.id}">
<h2>Pay with another card</h2>
${cardFields(form)}
<button type="submit">Pay</button>
</form>`;
  return page(`Invoice ${invoice.number ?? ''}`, content + pays, problem === null ? 200 : 402);
}
