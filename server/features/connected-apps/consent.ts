import { randomUUID } from 'node:crypto';
import type { Provider } from 'oidc-provider';
import { maxConnectedApps } from '#contract/api-keys.ts';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { Database } from '#server/db/db.ts';
import { and, gt, sql } from '#server/db/drizzle.ts';
import { apiKeys } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import { accountIdOf, appScope, requestSeconds } from './app-access.ts';
import { isConnected } from './apps.ts';
import { placeOf } from './clients.ts';

/** Which request is answered, and by which browser. */
export interface Asked {
  requestId: string;
  /** The request that the browser has come with. */
  cookie: string | undefined;
}

/** Asks the person, and tells the app what they said. */
export function createConsent({
  db,
  openProvider,
  publicUrl,
  clock,
}: {
  db: Database;
  openProvider: () => Promise<Provider>;
  publicUrl: string;
  clock: () => Date;
}) {
  /** The library makes the address of how the request has come, which a proxy may have changed. */
  const onward = ({ returnTo }: { returnTo: string }) => publicUrl + new URL(returnTo).pathname;

  /**
   * The request, in the browser that began it: whoever else answered it would connect the app of somebody else to their
   * own documents. @throws AppError `app-request-ended`
   */
  async function requestOf({ requestId, cookie }: Asked) {
    const provider = await openProvider();
    const found = cookie === requestId ? await provider.Interaction.find(requestId) : undefined;
    // Answered once.
    if (!found || found.result) throw new AppError('app-request-ended');
    const { client_id: clientId, redirect_uri: redirectUri, resource } = found.params;
    const client = await provider.Client.find(String(clientId)).catch(() => undefined);
    if (!client || typeof redirectUri !== 'string') throw new AppError('app-request-ended');
    const { clientId: id, clientName: name = id } = client;
    return { provider, interaction: found, client: { id, name }, redirectUri, resource: String(resource) };
  }

  async function get(asked: Asked): Promise<CallOutput<'getAppRequest'>> {
    const { client, redirectUri } = await requestOf(asked);
    return { name: client.name, ...placeOf(redirectUri) };
  }

  /** @throws AppError `app-request-ended`, `too-many-apps` */
  async function allow(by: Actor & { ip: string }, asked: Asked): Promise<{ url: string }> {
    const { provider, interaction, client, redirectUri, resource } = await requestOf(asked);
    const { companyId, userId } = by;
    const { address } = placeOf(redirectUri);
    const appId = randomUUID();
    const now = clock();
    // Until the app has come for it; then as long as it may renew what it has.
    const expiresAt = new Date(now.getTime() + requestSeconds * 1000);
    await db.asCompany(companyId, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`connected apps ${userId}`}, 0))`);
      const count = await tx.$count(apiKeys, and(isConnected(userId), gt(apiKeys.expiresAt, now)));
      if (count >= maxConnectedApps) throw new AppError('too-many-apps');
      await tx.insert(apiKeys).values({
        ...{ companyId, id: appId, publicId: appId, hash: null, kind: 'app', scope: appScope, userId },
        ...{ name: client.name, clientId: client.id, clientAddress: address },
        ...{ createdByEmail: by.email, createdAt: now, expiresAt },
      });
      const details = { address, scope: appScope, keyId: appId };
      await audit(tx, { action: 'app-connected', by, target: client.name, details, at: now });
    });
    const accountId = accountIdOf(by);
    const grant = new provider.Grant({ accountId, clientId: client.id });
    grant.jti = appId;
    grant.addResourceScope(resource, appScope);
    await grant.save();
    interaction.result = { login: { accountId, remember: false }, consent: { grantId: appId } };
    await interaction.persist();
    return { url: onward(interaction) };
  }

  async function refuse(asked: Asked): Promise<{ url: string }> {
    const { interaction } = await requestOf(asked);
    interaction.result = { error: 'access_denied', error_description: 'The person has not allowed it.' };
    await interaction.persist();
    return { url: onward(interaction) };
  }

  return { get, allow, refuse };
}
