import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { LinkHolder } from '#server/calls/held-access.ts';
import type { Database } from '#server/db/db.ts';
import { and, eq, lte } from '#server/db/drizzle.ts';
import { companies, exports, users } from '#server/db/schema.ts';
import { createSigner } from '#server/lib/signed-claims.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { type ExportKey, type ExportRow, isExport } from './exports.ts';

export interface ExportLinksDeps {
  db: Database;
  /** Secret of the links' signatures. */
  key: Uint8Array;
  publicUrl: string;
  sessionIsOpen: IdentityProvider['sessionIsOpen'];
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

/** A finished export as a link leads to it. */
export interface LinkedExport extends ExportKey {
  generation: number;
  size: number;
  directoryOffset: number;
  companyName: string;
  isOwn: boolean;
  readyAt: Date;
}

interface Claims {
  /** company, export */
  c: string;
  e: string;
  /** person and session */
  u: string;
  s: string;
  /** when it was made, in milliseconds */
  m: number;
}

/**
 * Signed links to exports, as those to originals: a download goes on with them in a browser's own time. One ends with
 * the export, the session that it was made in, or the rights of its person, whichever comes first.
 */
export function createExportLinks({ db, key, publicUrl, sessionIsOpen, clock = Date.now }: ExportLinksDeps) {
  const { sign, verify } = createSigner<Claims>(key);

  /** @throws AppError `session-expired` for a bearer that names no session. */
  function linkTo({ companyId, userId, sessionId }: Actor, exportId: string): string {
    if (sessionId === undefined) throw new AppError('session-expired');
    return `${publicUrl}/exports/${sign({ c: companyId, e: exportId, u: userId, s: sessionId, m: clock() })}`;
  }

  /** @throws AppError `export-not-found` for a forged link, an export that has ended, and whoever has lost access. */
  async function open(token: string): Promise<LinkedExport> {
    const claims = verify(token);
    if (!claims) throw new AppError('export-not-found');
    const key = { companyId: claims.c, exportId: claims.e };
    const [found] = await db.asCompany(claims.c, (tx) =>
      tx
        .select({ row: exports, companyName: companies.name, endsAt: companies.endsAt, user: users })
        .from(exports)
        .innerJoin(companies, eq(companies.id, exports.companyId))
        .innerJoin(users, and(eq(users.companyId, exports.companyId), eq(users.id, claims.u)))
        // As of a bearer: what ends a person's tokens ends their links.
        .where(and(isExport(key), eq(users.state, 'active'), lte(users.tokensValidSince, new Date(claims.m)))),
    );
    if (!found || !mayOpen(found)) throw new AppError('export-not-found');
    const { row, user, companyName } = found;
    const { size, directoryOffset, readyAt, expiresAt } = row;
    const isReady = row.state === 'ready' && expiresAt !== null && expiresAt.getTime() > clock();
    if (!isReady || size === null || directoryOffset === null || readyAt === null)
      throw new AppError('export-not-found');
    if (user.providerUid === null || !(await sessionIsOpen(user.providerUid, claims.s)))
      throw new AppError('export-not-found');
    const { generation, personId } = row;
    return { ...key, generation, size, directoryOffset, companyName, isOwn: personId !== null, readyAt };
  }

  /** Whose link it is, whether it holds or not; null for a forged one. */
  function holderOf(token: string): LinkHolder | null {
    const claims = verify(token);
    return claims && { companyId: claims.c, userId: claims.u, sessionId: claims.s };
  }

  return { linkTo, holderOf, open };
}

export type ExportLinks = ReturnType<typeof createExportLinks>;

/** While a company ends, its admins alone get in. */
function mayOpen({
  row: { personId },
  user: { id, role },
  endsAt,
}: {
  row: Pick<ExportRow, 'personId'>;
  user: Pick<typeof users.$inferSelect, 'id' | 'role'>;
  endsAt: Date | null;
}): boolean {
  if (role !== 'admin' && (personId === null || endsAt !== null)) return false;
  return personId === null || personId === id;
}
