import { AppError } from '#contract/errors.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { plansOnSale } from './billing.ts';

const later = async () => {
  throw new AppError('unimplemented');
};

export const billingCalls = {
  getPlans: async () => plansOnSale(),
  createCheckoutSession: later,
  syncSubscription: later,
  createPortalSession: later,
  getBilling: later,
  previewPlanChange: later,
  changePlan: later,
  cancelSubscription: later,
  resumeSubscription: later,
} satisfies Partial<Handlers>;
