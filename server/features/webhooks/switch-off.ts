import type { WebhookOffReason } from '#contract/webhooks.ts';
import type { Tx } from '#server/db/db.ts';
import { and, eq, isNull } from '#server/db/drizzle.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { mailAdmins } from '#server/features/mail/mail.ts';
import type { WebhooksDeps } from './deps.ts';
import { changeDeliveries } from './hold-deliveries.ts';

/** Switches a webhook off that has done it to itself, once, and mails the company's admins; what waits is given up. */
export async function switchOff(
  tx: Tx,
  { sendMail, config }: Pick<WebhooksDeps, 'sendMail' | 'config'>,
  off: { companyId: string; webhookId: string; reason: Exclude<WebhookOffReason, 'by-admin'>; at: Date },
): Promise<void> {
  const { companyId, webhookId, reason, at } = off;
  const isOn = and(eq(webhooks.id, webhookId), isNull(webhooks.offReason));
  const [gone] = await tx.update(webhooks).set({ offReason: reason, offAt: at }).where(isOn).returning();
  if (!gone) return;
  await giveUp(tx, webhookId);
  const host = hostOf(gone.url);
  await audit(tx, {
    action: 'webhook-switched-off',
    by: { companyId },
    target: host,
    details: { reason, webhookId },
    at,
  });
  const url = `${config.publicUrl}/admin/settings/webhooks`;
  await mailAdmins(tx, sendMail, companyId, (texts, name) => texts.webhookOff(name, { host, reason, url }));
}

/** Ends what waits for a webhook; each can be sent again by hand. */
export async function giveUp(tx: Tx, webhookId: string): Promise<void> {
  const waits = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting'));
  await changeDeliveries(tx, and(waits, eq(webhookDeliveries.byHand, false)), { state: 'failed' });
}

/** What may be told of an address anywhere: paths of webhooks are often secrets. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
