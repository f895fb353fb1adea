import type { CallOutput } from '#contract/calls.ts';
import { entitlementsOf } from '#contract/entitlements.ts';
import { priceOnSale } from '#contract/plans.ts';
import type { Database } from '#server/db/db.ts';
import { seatsUsed } from '#server/features/team/seats.ts';
import type { ProviderInvoice } from '#server/ports/payments/port.ts';
import { subscriptionOf } from './billing.ts';
import { customerOf } from './customer.ts';
import type { PaymentDeps } from './deps.ts';
import { scheduledChange } from './plan-change.ts';
import { currentOf } from './sync.ts';

type Overview = CallOutput<'getBilling'>;

/** Everything about plan and payment, read from the provider at this moment. @throws AppError `unavailable` */
export async function overviewOf({ db, payments, clock }: PaymentDeps, companyId: string): Promise<Overview> {
  const { customerId, known, used } = await db.asCompany(companyId, async (tx) => ({
    customerId: await customerOf(tx, companyId),
    known: await subscriptionOf(tx, companyId),
    used: await seatsUsed(tx),
  }));
  const { seats } = entitlementsOf(known, clock(), 'stripe');
  const base = { ...nothing, billing: 'stripe' as const, granted: known.granted, seats, seatsUsed: used };
  if (customerId === null) return { ...base, state: known.state, plan: known.plan };
  const [all, invoices] = await Promise.all([payments.subscriptions(customerId), payments.invoices(customerId)]);
  const found = currentOf(all);
  const goesOn = found !== null && !['canceled', 'incomplete_expired'].includes(found.state);
  const [next, card] = goesOn
    ? await Promise.all([payments.nextCharge(found.id), payments.card(found.id)])
    : [null, null];
  return {
    ...base,
    state: known.granted ? known.state : (found?.state ?? 'none'),
    plan: known.granted ? known.plan : (found?.plan ?? null),
    priceId: found?.priceId ?? null,
    period: (found?.priceId && priceOnSale(found.priceId)?.period) || null,
    currentPeriodEnd: found?.paidUntil.toISOString() ?? null,
    pastDueSince: found?.overdueSince?.toISOString() ?? null,
    endsAt: found?.endsAt?.toISOString() ?? null,
    scheduled: found && scheduledChange(found),
    nextCharge: next && { ...next, at: next.at.toISOString() },
    openInvoice: openOf(invoices),
    card,
    invoices: invoices.map((invoice) => ({ ...invoice, date: invoice.date.toISOString() })),
    portal: true,
  };
}

/** What is said where payment is switched off. */
export async function overviewWithoutPayment(db: Database, companyId: string): Promise<Overview> {
  return { ...nothing, billing: 'off', seats: null, seatsUsed: await db.asCompany(companyId, (tx) => seatsUsed(tx)) };
}

function openOf(invoices: ProviderInvoice[]): Overview['openInvoice'] {
  for (const { status, amount, currency, url } of invoices) {
    if (status === 'open' && url !== null) return { amount, currency, url };
  }
  return null;
}

const nothing = {
  state: 'none',
  plan: null,
  granted: false,
  priceId: null,
  period: null,
  currentPeriodEnd: null,
  pastDueSince: null,
  endsAt: null,
  scheduled: null,
  nextCharge: null,
  openInvoice: null,
  card: null,
  invoices: [],
  portal: false,
} satisfies Partial<Overview>;
