import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { requireFeature } from '#contract/permissions.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { monthBefore } from './months.ts';

type Settings = CallOutput<'getAnalyticsSettings'>;

const columns = {
  timeZone: companies.timeZone,
  showNames: companies.showNames,
  questionRetentionDays: companies.questionRetentionDays,
  monthlyReport: companies.monthlyReport,
};

/** What the transaction's company has decided on its analytics. */
export async function analyticsSettings(tx: Tx, companyId: string): Promise<Settings> {
  const [settings] = await tx.select(columns).from(companies).where(eq(companies.id, companyId));
  if (!settings) throw new Error('a company without its row');
  return settings;
}

/**
 * Changes what is given, and says in the audit log what it was before and is now.
 * @throws AppError `feature-not-in-plan` where the report is switched on without the plan for it
 */
export async function updateAnalyticsSettings(
  db: Database,
  { entitlements, ...by }: Actor & { ip: string },
  change: ParsedInput<'updateAnalyticsSettings'>,
): Promise<Settings> {
  if (change.monthlyReport) requireFeature(entitlements, 'usage-analytics');
  return db.asCompany(by.companyId, async (tx) => {
    // Two changes at once would each write back what the other has changed.
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, by.companyId)).for('no key update');
    const before = await analyticsSettings(tx, by.companyId);
    const after = { ...before, ...change };
    const { timeZone: _, ...changeable } = after;
    // The first report is of the month that is under way, not of one before it was wanted.
    const reportedMonth = after.monthlyReport && !before.monthlyReport ? { reportedMonth: monthBefore } : {};
    await tx
      .update(companies)
      .set({ ...changeable, ...reportedMonth })
      .where(eq(companies.id, by.companyId));
    await audit(tx, { action: 'analytics-settings-changed', by, details: { before, after } });
    return after;
  });
}
