import type { Handlers } from '#server/calls/handlers.ts';
import type { Database } from '#server/db/db.ts';
import type { AnalyticsFeature } from './analytics.ts';
import { analyticsSettings, updateAnalyticsSettings } from './settings.ts';

export function analyticsCalls({ db, analytics }: { db: Database; analytics: AnalyticsFeature }) {
  return {
    getAnalytics: (input, { actor }) => analytics.overview(actor, input),
    listFeedback: (input, { actor }) => analytics.feedback(actor, input),
    listAskers: (input, { actor }) => analytics.askers(actor, input),
    exportAnalytics: (input, { actor, ip }) => analytics.exportTable({ ...actor, ip }, input),
    setQuestionSolved: async (input, { actor, ip }) => {
      await analytics.setSolved({ ...actor, ip }, input);
      return null;
    },
    askAgain: (input, { actor, ip, signal }) => analytics.askAgain({ ...actor, ip }, input, signal),
    getAnalyticsSettings: (_, { actor: { companyId } }) =>
      db.asCompany(companyId, (tx) => analyticsSettings(tx, companyId)),
    updateAnalyticsSettings: (input, { actor, ip }) => updateAnalyticsSettings(db, { ...actor, ip }, input),
  } satisfies Partial<Handlers>;
}
