import { createHash } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '#server/db/db.ts';
import { and, eq, gt, isNull, lt, or, sql } from '#server/db/drizzle.ts';
import { apiKeys, oauthClients, oauthRecords } from '#server/db/schema.ts';
import { endGrant } from './apps.ts';
import { ClientProblem, type Clients } from './clients.ts';

/** What belongs to an app once somebody has allowed it. */
const ofGrants = ['Grant', 'AuthorizationCode', 'RefreshToken', 'AccessToken'];

/** An app that was allowed, and has not been told so by then, was never connected. */
const unusedAppMs = 3_600_000;
const unusedClientMs = 86_400_000;

/** What a bearer shows, as it is kept. */
export function hashOf(shown: string): string {
  return createHash('sha256').update(shown).digest('base64url');
}

/**
 * Where the authorization server keeps what it has to remember: in PostgreSQL, so that any process goes on with what another has
 * begun. Of tokens and codes the hash alone.
 */
export function createRecords({ db, clients, clock }: { db: Database; clients: Clients; clock: () => Date }) {
  const idOf = (kind: string, id: string) => and(eq(oauthRecords.kind, kind), eq(oauthRecords.idHash, hashOf(id)));

  function adapterOf(kind: string): Adapter {
    return {
      async upsert(id, payload, expiresIn = 0) {
        // The library puts what is shown into what is kept.
        const { jti: _, ...kept } = payload;
        const grantId = grantOf(kind, id, payload);
        const expiresAt = new Date(clock().getTime() + expiresIn * 1000);
        await db.asSystem(async (tx) => {
          // An app lasts as long as it may renew what it has. One that was disconnected meanwhile gets nothing more.
          if (kind === 'RefreshToken') {
            const going = and(eq(apiKeys.publicId, grantId ?? ''), eq(apiKeys.kind, 'app'), isNull(apiKeys.revokedAt));
            const [app] = await tx.update(apiKeys).set({ expiresAt }).where(going).returning({ id: apiKeys.id });
            if (!app) throw new errors.InvalidGrant('the app was disconnected');
          }
          await tx
            .insert(oauthRecords)
            .values({ kind, idHash: hashOf(id), grantId, payload: kept, expiresAt })
            .onConflictDoUpdate({
              target: [oauthRecords.kind, oauthRecords.idHash],
              set: { payload: kept, expiresAt },
            });
        });
      },

      async find(id) {
        const [row] = await db.asSystem((tx) =>
          tx
            .select()
            .from(oauthRecords)
            .where(and(idOf(kind, id), gt(oauthRecords.expiresAt, clock()))),
        );
        if (!row) return undefined;
        const consumed = row.consumedAt && { consumed: Math.floor(row.consumedAt.getTime() / 1000) };
        return { ...row.payload, ...consumed, jti: id };
      },

      /** Of two at once one is too late, and is what a second use is: a sign that somebody else has it. */
      async consume(id) {
        const [row] = await db.asSystem((tx) =>
          tx
            .update(oauthRecords)
            .set({ consumedAt: clock() })
            .where(and(idOf(kind, id), isNull(oauthRecords.consumedAt)))
            .returning(),
        );
        if (row) return;
        const [used] = await db.asSystem((tx) => tx.select().from(oauthRecords).where(idOf(kind, id)));
        if (used?.grantId) await endGrant(db, used.grantId, clock());
        throw new errors.InvalidGrant('already used');
      },

      async destroy(id) {
        await db.asSystem((tx) => tx.delete(oauthRecords).where(idOf(kind, id)));
      },

      revokeByGrantId: (grantId) => endGrant(db, grantId, clock()),
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    };
  }

  /** Removes what has expired, apps that were allowed and never came for it, and programs that nobody has connected. */
  async function sweep(): Promise<void> {
    const now = clock();
    const before = (ms: number) => new Date(now.getTime() - ms);
    const isNever = and(eq(apiKeys.kind, 'app'), isNull(apiKeys.lastUsedAt));
    const unclaimed = and(isNever, lt(apiKeys.createdAt, before(unusedAppMs)), lt(apiKeys.expiresAt, now));
    const hasNoApp = sql`not exists (select from ${apiKeys} where ${apiKeys.publicId} = ${oauthRecords.grantId} and ${apiKeys.revokedAt} is null)`;
    const nobodys = sql`not exists (select from ${apiKeys} where ${apiKeys.clientId} = ${oauthClients.id} and ${apiKeys.revokedAt} is null)`;
    const ended = and(eq(apiKeys.kind, 'app'), isNull(apiKeys.revokedAt), lt(apiKeys.expiresAt, now));
    await db.asSystem(async (tx) => {
      await tx.delete(apiKeys).where(unclaimed);
      await tx.update(apiKeys).set({ revokedAt: now }).where(ended);
      const orphaned = and(sql`${oauthRecords.grantId} is not null`, hasNoApp);
      await tx.delete(oauthRecords).where(or(lt(oauthRecords.expiresAt, now), orphaned));
      await tx.delete(oauthClients).where(and(lt(oauthClients.createdAt, before(unusedClientMs)), nobodys));
    });
  }

  return {
    /** As the library asks for it, by the name of each kind. */
    adapter(kind: string): Adapter {
      if (kind === 'Client') return clientsOnly(clients);
      // Who is signed in is the product's to know, at each request anew.
      if (kind === 'Session') return forgetful;
      return adapterOf(kind);
    },
    sweep,
  };
}

function grantOf(kind: string, id: string, { grantId }: AdapterPayload): string | null {
  if (!ofGrants.includes(kind)) return null;
  return kind === 'Grant' ? id : (grantId ?? null);
}

const forgetful: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Registered by `clients.ts` alone. */
function clientsOnly(clients: Clients): Adapter {
  return {
    ...forgetful,
    async find(id) {
      try {
        const client = await clients.find(id);
        if (!client) return undefined;
        return {
          client_id: client.id,
          client_name: client.name,
          redirect_uris: [...client.redirectUris],
          // Lets a program on the person's machine be told at any port that is free.
          application_type: 'native',
        };
      } catch (problem) {
        if (problem instanceof ClientProblem) throw new errors.InvalidClient(problem.message);
        throw problem;
      }
    },
  };
}
