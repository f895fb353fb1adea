import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Limits } from '#server/calls/limits.ts';
import { brandOrigins, originOf } from '#server/config/brand-hosts.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { lazily } from '#server/lib/lazily.ts';
import { createOutbound } from '#server/lib/outbound.ts';
import { disconnectApp, listApps } from './apps.ts';
import { createClients } from './clients.ts';
import { createConsent } from './consent.ts';
import { mountAuthorization } from './routes.ts';
import { sweepRecords } from './sweep.ts';

/** A document that says what a program is: a name and a few addresses. */
const maxDocumentBytes = 16_384;
const documentMs = 5000;

/**
 * Programs elsewhere that people let read with their own rights, by OAuth 2.1 (decision 0056). What their tokens may do
 * is decided where keys are looked at: an app acts as a personal key of scope `read`.
 */
export function createConnectedApps({
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
  const resources = [publicUrl, ...brandOrigins(config)].map((origin) => `${origin}/mcp`);
  // The library is large, and most services have no app: whoever connects the first one waits for it (decision 0072).
  const openProvider = lazily(async () => {
    const { createProvider } = await import('./provider.ts');
    return createProvider({ db, clients, clock, log, publicUrl, resources, cookieKey });
  });
  const consent = createConsent({ db, openProvider, publicUrl, clock });
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
    sweep: () => sweepRecords(db, clock()),
    mount: (scope: FastifyInstance) =>
      mountAuthorization(scope, { openProvider, clients, limits, rates, publicUrl, resourceAt, name: branding.name }),
  };
}
