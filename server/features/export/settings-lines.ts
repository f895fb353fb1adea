import type { Tx } from '#server/db/db.ts';
import { asc, eq } from '#server/db/drizzle.ts';
import { agentVersions, companyBrands, digestChoices, subscriptions, users, webhooks } from '#server/db/schema.ts';
import { companyOf } from './exports.ts';

/** What the company has decided about itself, in the words of the calls that set it. */
export async function settingsOf(tx: Tx, companyId: string): Promise<Record<string, unknown>> {
  const { name, createdAt, timeZone, mailLanguage, sessionDays, ...kept } = await companyOf(tx, companyId);
  const { showNames, questionRetentionDays, monthlyReport } = kept;
  const ofCompany = eq(companyBrands.companyId, companyId);
  const [brand] = await tx.select().from(companyBrands).where(ofCompany);
  const [subscription] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId));
  const versions = await tx.select().from(agentVersions).orderBy(asc(agentVersions.version));
  const digests = await tx
    .select({ email: users.email, failedFiles: digestChoices.failedFiles, unanswered: digestChoices.unanswered })
    .from(digestChoices)
    .innerJoin(users, eq(users.id, digestChoices.userId));
  const { url, events, withinCollections, createdByEmail: createdBy, offReason } = webhooks;
  const hooks = await tx
    .select({ url, events, withinCollections, createdBy, createdAt: webhooks.createdAt, offReason })
    .from(webhooks)
    .orderBy(asc(webhooks.createdAt));
  return {
    company: { companyId, name, createdAt, timeZone, mailLanguage },
    security: { sessionDays },
    analytics: { showNames, questionRetentionDays, monthlyReport },
    branding: { name: brand?.name ?? null, accent: brand?.accent ?? null, logo: brand?.logo ? 'logo.png' : null },
    chatAgent: versions.map(({ companyId: _, ...version }) => version),
    notifications: digests,
    webhooks: hooks,
    subscription: subscription ? { state: subscription.state, plan: subscription.plan } : null,
  };
}

export async function logoOf(tx: Tx, companyId: string): Promise<Buffer | null> {
  const [brand] = await tx.select().from(companyBrands).where(eq(companyBrands.companyId, companyId));
  return brand?.logo ?? null;
}

/** What is kept of a person beside what they did. */
export async function profileOf(tx: Tx, companyId: string, personId: string): Promise<Record<string, unknown>> {
  const { name } = await companyOf(tx, companyId);
  const [user] = await tx.select().from(users).where(eq(users.id, personId));
  const [digest] = await tx.select().from(digestChoices).where(eq(digestChoices.userId, personId));
  const { email, displayName, role, state, createdAt, lastSignInAt, emailConfirmedAt, invitedAt } = user ?? {};
  return {
    uid: personId,
    company: name,
    ...{ email, displayName, role, state, createdAt, lastSignInAt, emailConfirmedAt, invitedAt },
    notifications: digest ? { failedFiles: digest.failedFiles, unanswered: digest.unanswered } : null,
  };
}
