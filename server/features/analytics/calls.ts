import type { Handlers } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import { analyticsSettings, updateAnalyticsSettings } from './settings.ts';

export function analyticsCalls({ db }: { db: Database }) {
  return {
    getAnalyticsSettings: (_, { actor: { companyId } }) =>
      db.asCompany(companyId, (tx) => analyticsSettings(tx, companyId)),
    updateAnalyticsSettings: (input, { actor, ip }) => updateAnalyticsSettings(db, { ...actor, ip }, input),
  } satisfies Partial<Handlers>;
}
