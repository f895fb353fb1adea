import type { Database } from '#server/db/db.ts';
import { and, eq, isNotNull, isNull } from '#server/db/drizzle.ts';
import { companies } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';

/**
 * Takes the end of a company back for whoever runs the service; the subscription follows with the next look for
 * companies that end.
 * @returns whether there was one to take back
 */
export async function keepForOperator(db: Database, companyId: string): Promise<boolean> {
  return db.asSystem(async (tx) => {
    const isEnding = and(eq(companies.id, companyId), isNotNull(companies.endsAt), isNull(companies.erasingSince));
    const kept = await tx.update(companies).set({ endsAt: null }).where(isEnding).returning({ id: companies.id });
    if (kept.length === 0) return false;
    await audit(tx, { action: 'company-kept', by: { companyId } });
    return true;
  });
}
