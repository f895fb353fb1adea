import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/db.ts';
import { and, arrayContains, eq, isNull } from '#server/db/drizzle.ts';
import { sessions, singleSignOnIdentities, users } from '#server/db/schema.ts';
import { audit } from '#server/features/audit/audit.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { noteEnd } from '../sessions/session-records.ts';
import type { Provider, Providers } from './companies.ts';
import type { createOidc, OidcClient } from './oidc.ts';

const maxBodyBytes = 65_536;

interface BackChannelDeps {
  db: Database;
  provider: Pick<IdentityProvider, 'endSessionById'>;
  providers: Pick<Providers, 'ofCompany'>;
  limits: Pick<Limits, 'take'>;
  config: Pick<Config, 'rates'>;
  oidc: Pick<ReturnType<typeof createOidc>, 'signedOut'>;
  clientOf: (row: Provider) => Promise<OidcClient>;
  clock: () => Date;
}

/** A provider tells that somebody has signed out there: what was begun by it ends here, too. */
export function createBackChannel(deps: BackChannelDeps) {
  const { db, provider, providers, limits, config, oidc, clientOf, clock } = deps;

  /**
   * Ends the sessions that a logout token (OpenID Connect Back-Channel Logout) names.
   * @throws AppError `single-sign-on-not-found`, `single-sign-on-failed` for what the provider has not signed
   */
  async function endSessionsBy(companyId: string, token: string): Promise<void> {
    const row = await providers.ofCompany(companyId);
    if (!row) throw new AppError('single-sign-on-not-found');
    const { subject, sid } = await oidc.signedOut(await clientOf(row), token);
    const going = await db.asCompany(companyId, (tx) =>
      tx
        .select({ sessionId: sessions.id, userId: users.id, email: users.email, providerUid: users.providerUid })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .innerJoin(singleSignOnIdentities, eq(singleSignOnIdentities.userId, sessions.userId))
        .where(
          and(
            eq(singleSignOnIdentities.issuer, row.issuer),
            subject === null ? undefined : eq(singleSignOnIdentities.subject, subject),
            sid === null ? undefined : eq(sessions.providerSession, sid),
            arrayContains(sessions.methods, ['single-sign-on']),
            isNull(sessions.endedAt),
          ),
        ),
    );
    for (const { sessionId, userId, email, providerUid } of going) {
      if (providerUid !== null) await provider.endSessionById(providerUid, sessionId);
      await db.asCompany(companyId, async (tx) => {
        const at = clock();
        await noteEnd(tx, { companyId, userId, sessionId }, at);
        await audit(tx, { action: 'signed-out', by: { companyId, userId, email }, at, via: 'single-sign-on' });
        await db.notify(tx, 'people', { userId, sessionId });
      });
    }
  }

  return {
    /** `/single-sign-on/<company>/logout`: 200 when they have ended, 400 for anything that is not the provider's. */
    async mountLogout(scope: FastifyInstance): Promise<void> {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: maxBodyBytes },
        async (_: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
      );
      scope.post<{ Params: { companyId: string } }>('/single-sign-on/:companyId/logout', async (request, reply) => {
        await limits.take(`single-sign-on-logout:${addressKey(request.ip)}`, config.rates.signInsPerAddress, 900);
        const { data: companyId } = z.uuid().safeParse(request.params.companyId);
        const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
        if (companyId === undefined || token === null) throw new AppError('single-sign-on-failed');
        await endSessionsBy(companyId, token);
        return reply.header('cache-control', 'no-store').code(200).send();
      });
    },
  };
}
