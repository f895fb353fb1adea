import { AppError } from '#contract/errors.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Limits } from '#server/calls/limits.ts';
import type { Database } from '#server/db/db.ts';
import { plansOnSale } from './billing.ts';
import { overviewWithoutPayment } from './overview.ts';
import type { Payment } from './payment.ts';

/** Calls that reach the provider, by one company in a minute: it slows everybody down when it is asked too often. */
const perMinute = 120;

/** @param payment null: switched off */
export function billingCalls({ db, limits, payment }: { db: Database; limits: Limits; payment: Payment | null }) {
  async function counted({ companyId }: { companyId: string }): Promise<Payment> {
    if (!payment) throw new AppError('billing-off');
    await limits.take(`billing:${companyId}`, perMinute, 60);
    return payment;
  }

  return {
    getPlans: async () => plansOnSale(),
    createCheckoutSession: async ({ priceId }, { actor }) => (await counted(actor)).checkout.open(actor, priceId),
    syncSubscription: async (_, { actor }) => {
      if (!payment) return { state: 'none', plan: null, active: true };
      const { state, plan } = await (await counted(actor)).sync(actor.companyId);
      return { state, plan, active: state === 'active' || state === 'trialing' };
    },
    createPortalSession: async (_, { actor }) => (await counted(actor)).checkout.portal(actor.companyId),
    getBilling: async (_, { actor }) =>
      payment ? (await counted(actor)).overview(actor.companyId) : overviewWithoutPayment(db, actor.companyId),
    previewPlanChange: async ({ priceId }, { actor }) =>
      (await counted(actor)).planChange.preview(actor.companyId, priceId),
    changePlan: async (input, { actor, ip }) => (await counted(actor)).planChange.change({ ...actor, ip }, input),
    cancelSubscription: async (_, { actor, ip }) => (await counted(actor)).planChange.cancel({ ...actor, ip }),
    resumeSubscription: async (_, { actor, ip }) => (await counted(actor)).planChange.resume({ ...actor, ip }),
  } satisfies Partial<Handlers>;
}
