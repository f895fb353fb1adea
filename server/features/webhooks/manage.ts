import { randomUUID } from 'node:crypto';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { requireFeature } from '#contract/permissions.ts';
import { maxWebhooks, secretOverlapHours } from '#contract/webhooks.ts';
import { chosenCollections } from '#server/db/chosen-collections.ts';
import type { Tx } from '#server/db/db.ts';
import { eq, sql } from '#server/db/drizzle.ts';
import { webhookCollections, webhooks } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { outboundUrl } from '#server/lib/outbound.ts';
import type { By, WebhooksDeps } from './deps.ts';
import { newSecret, webhookSealedFor } from './secret.ts';
import { giveUp, hostOf } from './switch-off.ts';

type Webhook = typeof webhooks.$inferSelect;

/** What admins do with their company's webhooks. */
export function createManagement({
  db,
  sealer,
  config,
  requireRecentSignIn,
  clock,
}: Pick<WebhooksDeps, 'db' | 'sealer' | 'config' | 'requireRecentSignIn' | 'clock'>) {
  /**
   * @throws AppError `recent-sign-in-required`, `outbound-address-invalid`, `outbound-not-public`, `too-many-webhooks`,
   * `collection-not-found`, `feature-not-in-plan`
   */
  async function create(by: By, input: ParsedInput<'createWebhook'>): Promise<CallOutput<'createWebhook'>> {
    const { companyId } = by;
    requireRecentSignIn(by);
    const { collectionIds } = input;
    if (collectionIds) requireFeature(by.entitlements, 'collections');
    const { href: url } = outboundUrl(input.url, config.outboundAllowed);
    const id = randomUUID();
    const secret = newSecret();
    const sealedSecret = await sealer.seal(secret, webhookSealedFor({ companyId, id }));
    const events = [...new Set(input.events)];
    await db.asCompany(companyId, async (tx) => {
      await requireRoom(tx, companyId);
      const withinCollections = collectionIds !== undefined;
      const values = { companyId, id, url, events, withinCollections, sealedSecret, createdAt: clock() };
      await tx.insert(webhooks).values({ ...values, createdByEmail: by.email });
      await keepWithin(tx, companyId, id, await chosenCollections(tx, companyId, collectionIds ?? []));
      const within = collectionIds && { collections: new Set(collectionIds).size };
      const details = { events, ...within, webhookId: id };
      await audit(tx, { action: 'webhook-created', by, target: hostOf(url), details });
    });
    return { webhookId: id, secret };
  }

  /**
   * @throws AppError `recent-sign-in-required`, `outbound-address-invalid`, `outbound-not-public`, `webhook-not-found`,
   * `collection-not-found`, `feature-not-in-plan`
   */
  async function update(by: By, input: ParsedInput<'updateWebhook'>): Promise<void> {
    requireRecentSignIn(by);
    const { webhookId, collectionIds, on } = input;
    if (collectionIds) requireFeature(by.entitlements, 'collections');
    const url = input.url && outboundUrl(input.url, config.outboundAllowed).href;
    const events = input.events && [...new Set(input.events)];
    await db.asCompany(by.companyId, async (tx) => {
      const before = await requireWebhook(tx, webhookId);
      const changes = changesOf(before, { ...input, url, events }, clock());
      // A statement that sets nothing is none.
      if (Object.keys(changes).length > 0) await tx.update(webhooks).set(changes).where(eq(webhooks.id, webhookId));
      if (collectionIds !== undefined) {
        // Before what hangs on them, as who deletes a collection takes it.
        const chosen = await chosenCollections(tx, by.companyId, collectionIds ?? []);
        await tx.delete(webhookCollections).where(eq(webhookCollections.webhookId, webhookId));
        await keepWithin(tx, by.companyId, webhookId, chosen);
      }
      if (on === false) await giveUp(tx, webhookId);
      const shown = { ...(url && { to: hostOf(url), from: hostOf(before.url) }), ...(events && { events }) };
      const within = collectionIds !== undefined && {
        collections: collectionIds === null ? 'open' : collectionIds.length,
      };
      const details = { ...shown, ...within, ...(on !== undefined && { on }), webhookId };
      await audit(tx, { action: 'webhook-changed', by, target: hostOf(before.url), details });
    });
  }

  /** @throws AppError `recent-sign-in-required`, `webhook-not-found` */
  async function rotate(by: By, webhookId: string): Promise<CallOutput<'rotateWebhookSecret'>> {
    requireRecentSignIn(by);
    const { companyId } = by;
    const secret = newSecret();
    const sealedSecret = await sealer.seal(secret, webhookSealedFor({ companyId, id: webhookId }));
    const secretBeforeUntil = new Date(clock().getTime() + secretOverlapHours * 3_600_000);
    await db.asCompany(companyId, async (tx) => {
      const before = await requireWebhook(tx, webhookId);
      const changes = { sealedSecret, sealedSecretBefore: before.sealedSecret, secretBeforeUntil };
      await tx.update(webhooks).set(changes).where(eq(webhooks.id, webhookId));
      await audit(tx, { action: 'webhook-secret-rotated', by, target: hostOf(before.url), details: { webhookId } });
    });
    return { secret, bothUntil: secretBeforeUntil.toISOString() };
  }

  /** @throws AppError `webhook-not-found` */
  async function remove(by: By, webhookId: string): Promise<void> {
    await db.asCompany(by.companyId, async (tx) => {
      const [gone] = await tx.delete(webhooks).where(eq(webhooks.id, webhookId)).returning();
      if (!gone) throw new AppError('webhook-not-found');
      await audit(tx, { action: 'webhook-deleted', by, target: hostOf(gone.url), details: { webhookId } });
    });
  }

  return { create, update, rotate, remove };
}

const fresh = { failures: 0, failingSince: null, pausedUntil: null };

/** What is written of a webhook that is changed. */
function changesOf(
  before: Webhook,
  { url, events, collectionIds, on }: Omit<ParsedInput<'updateWebhook'>, 'webhookId'>,
  now: Date,
): Partial<Webhook> {
  const isOn = before.offReason === null;
  const switchesOn = on === true && !isOn;
  return {
    ...(url && { url }),
    ...(events && { events }),
    ...(collectionIds !== undefined && { withinCollections: collectionIds !== null }),
    ...(on === false && isOn && { offReason: 'by-admin', offAt: now }),
    // Whoever switches it on, or leads it elsewhere, has seen to what was wrong.
    ...((switchesOn || (url && url !== before.url)) && fresh),
    ...(switchesOn && { offReason: null, offAt: null }),
  };
}

/** Held until the transaction ends. @throws AppError `webhook-not-found` */
export async function requireWebhook(tx: Tx, webhookId: string): Promise<Webhook> {
  const [found] = await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update');
  if (!found) throw new AppError('webhook-not-found');
  return found;
}

/** So that two at once are not one too many, under a lock. @throws AppError `too-many-webhooks` */
async function requireRoom(tx: Tx, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${companyId}`}, 0))`);
  if ((await tx.$count(webhooks)) >= maxWebhooks) throw new AppError('too-many-webhooks');
}

/** @throws AppError `collection-not-found` */
async function keepWithin(tx: Tx, companyId: string, webhookId: string, chosen: readonly string[]): Promise<void> {
  if (chosen.length === 0) return;
  await tx.insert(webhookCollections).values(chosen.map((collectionId) => ({ companyId, webhookId, collectionId })));
}
