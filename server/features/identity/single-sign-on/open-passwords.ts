import type { Database } from '#server/db/db.ts';
import { and, eq } from '#server/db/drizzle.ts';
import { singleSignOns } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';

/** Lets a company's people in by passwords again. @returns whether they were closed */
export function openPasswords(db: Database, companyId: string): Promise<boolean> {
  return db.asSystem(async (tx) => {
    const closed = and(eq(singleSignOns.companyId, companyId), eq(singleSignOns.required, true));
    const opened = await tx.update(singleSignOns).set({ required: false }).where(closed).returning();
    if (opened.length === 0) return false;
    const details = { before: true, after: false };
    await audit(tx, { action: 'single-sign-on-required-changed', by: { companyId }, details });
    return true;
  });
}
