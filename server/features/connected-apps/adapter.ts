import { createHash } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '#server/db/db.ts';
import { and, eq, gt, isNull } from '#server/db/drizzle.ts';
import { apiKeys, oauthRecords } from '#server/db/schema.ts';
import { endGrant } from './apps.ts';
import { ClientProblem, type Clients } from './clients.ts';

/** What belongs to an app once somebody has allowed it. */
const ofGrants = ['Grant', 'AuthorizationCode', 'RefreshToken', 'AccessToken'];

/** What a bearer shows, as it is kept. */
function hashOf(shown: string): string {
  return createHash('sha256').update(shown).digest('base64url');
}

/**
 * Where the authorization server keeps what it has to remember: in PostgreSQL, so that any process goes on with what
 * another has begun. Of tokens and codes the hash alone.
 * @returns as the library asks for it, by the name of each kind
 */
export function createAdapter({
  db,
  clients,
  clock,
}: {
  db: Database;
  clients: Clients;
  clock: () => Date;
}): (kind: string) => Adapter {
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

  return (kind) => {
    if (kind === 'Client') return clientsOnly(clients);
    // Who is signed in is the product's to know, at each request anew.
    if (kind === 'Session') return forgetful;
    return adapterOf(kind);
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
