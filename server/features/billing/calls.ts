import type { Handlers } from '#server/http/handlers.ts';
import { plansOnSale } from './billing.ts';

export const billingCalls: Pick<Handlers, 'getPlans'> = {
  getPlans: async () => plansOnSale(),
};
