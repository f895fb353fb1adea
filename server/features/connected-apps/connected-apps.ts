import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Limits } from '#server/calls/limits.ts';
import { brandOrigins, originOf } from '#server/config/brand-hosts.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { createOutbound } from '#server/lib/outbound.ts';
import { disconnectApp, listApps } from './apps.ts';
import { createClients } from './clients.ts';
import { createConsent } from './consent.ts';
import { createProvider } from './provider.ts';
import { createRecords } from './records.ts';
import { mountAuthorization } from './routes.ts';

/** A document that says what a program is: a name and a few addresses. */
const maxDocumentBytes = 16_384;
const documentMs = 5000;

/**
 * Programs elsewhere that people let read with their own rights, by OAuth 2.1 (decision 0056). What their tokens may do is
 * decided where keys are looked at: an app acts as a personal key of scope `read`.
 */
export async function createConnectedApps({
  db,
  limits,
  config,
  log,
  cookieKey,
  clock = () => new Date(),
}: {
  db: Database;
  limits: Limits;
  config: Pick<Config, 'publicUrl' | 'brandHosts' | 'branding' | 'outboundAllowed' | 'rates'>;
  log: Logger;
  cookieKey: Uint8Array;
  clock?: () => Date;
}) {
  const { publicUrl, brandHosts, branding, outboundAllowed: allowed, rates } = config;
  const way = createOutbound({ allowed, maxBytes: maxDocumentBytes, timeoutMs: documentMs });
  const clients = createClients({ db, outbound: way, newId: () => `app_${randomBytes(18).toString('base64url')}` });
  const records = createRecords({ db, clients, clock });
  const resources = [publicUrl, ...brandOrigins(config)].map((origin) => `${origin}/mcp`);
  const provider = await createProvider({ db, records, log, publicUrl, resources, cookieKey });
  const consent = createConsent({ db, provider, publicUrl, clock });
  const resourceAt = (host: string) => {
    const name = host.toLowerCase();
    return `${brandHosts.has(name) ? originOf(name, publicUrl) : publicUrl}/mcp`;
  };

  const calls = {
    getAppRequest: ({ requestId }, { appRequest: cookie }) => consent.get({ requestId, cookie }),
    allowApp: ({ requestId }, { actor, ip, appRequest: cookie }) =>
      consent.allow({ ...actor, ip }, { requestId, cookie }),
    refuseApp: ({ requestId }, { appRequest: cookie }) => consent.refuse({ requestId, cookie }),
    listConnectedApps: (_, { actor }) => listApps(db, actor, clock()),
    disconnectApp: async ({ appId }, { actor, ip }) => {
      await disconnectApp(db, { ...actor, ip }, appId, clock());
      return null;
    },
  } satisfies Partial<Handlers>;

  return {
    calls,
    sweep: records.sweep,
    mount: (scope: FastifyInstance) =>
      mountAuthorization(scope, { provider, clients, limits, rates, publicUrl, resourceAt, name: branding.name }),
  };
}
