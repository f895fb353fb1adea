import type { Tx } from '#server/db/db.ts';
import { eq } from '#server/db/drizzle.ts';
import { companies, paymentCustomers } from '#server/db/schema.ts';
import type { Payments } from '#server/ports/payments/port.ts';

/** The company's customer at the payment provider; null for one that has never come as far as paying. */
export async function customerOf(tx: Tx, companyId: string): Promise<string | null> {
  const ofCompany = eq(paymentCustomers.companyId, companyId);
  const [row] = await tx.select({ id: paymentCustomers.customerId }).from(paymentCustomers).where(ofCompany);
  return row?.id ?? null;
}

/** The company's customer, made where there is none yet. To be called in the company's turn, or there could be two. */
export async function ensureCustomer(
  tx: Tx,
  payments: Payments,
  { companyId, email }: { companyId: string; email: string },
): Promise<string> {
  const known = await customerOf(tx, companyId);
  if (known !== null) return known;
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const customerId = await payments.createCustomer({ companyId, companyName: company?.name ?? '', email });
  await tx.insert(paymentCustomers).values({ companyId, customerId });
  return customerId;
}
