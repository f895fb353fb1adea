import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { LinkHolder } from '#server/calls/held-access.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { and, eq, isNull, lte } from '#server/db/drizzle.ts';
import { companies, documents, users, versions } from '#server/db/schema.ts';
import { isLiveKey } from '#server/features/api-keys/live-key.ts';
import { audit } from '#server/features/audit/audit.ts';
import { createSigner } from '#server/lib/signed-claims.ts';
import type { IdentityProvider } from '#server/ports/identity/port.ts';
import { nameInPath, nameKey, pathInUri } from '../names.ts';

const validSeconds = 600;
const lookAgainMs = 1000;

export interface FileLinksDeps {
  db: Database;
  /** Secret of the links' signatures. */
  key: Uint8Array;
  bucket: string;
  publicUrl: string;
  sessionIsOpen: IdentityProvider['sessionIsOpen'];
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

/** An original as a link leads to it. */
export interface LinkedFile {
  name: string;
  mediaType: string;
  size: number;
  /** Of the bytes, in hex. */
  sha256: string;
  objectKey: string;
}

interface Claims {
  /** company, document, version */
  c: string;
  d: string;
  v: number;
  /** person (of a company's key its own id) and session, or key */
  u: string;
  s?: string;
  k?: string;
  /** when it was made, in milliseconds */
  m: number;
}

/**
 * Signed links to originals. A link carries its own right, so that a new tab can open it without a bearer. It ends
 * after 10 minutes, or with its document, the session or the key that it was made by, or the rights of its person,
 * whichever comes first.
 */
export function createFileLinks({ db, key, bucket, publicUrl, sessionIsOpen, clock = Date.now }: FileLinksDeps) {
  const { sign, verify } = createSigner<Claims>(key);

  /**
   * Counts as opening the original, which the audit log tells of: what a browser then asks for, in how many pieces, is
   * its own affair.
   * @param version a version; absent: the current one, or the newest while none is ready
   * @throws AppError `file-not-found`; `session-expired` for a bearer that names no session.
   */
  async function linkTo(
    { sessionId, ...by }: Pick<Actor, 'companyId' | 'userId' | 'email' | 'sessionId' | 'key'> & { ip?: string },
    gsUri: string,
    version?: number,
  ): Promise<string> {
    const { companyId, userId } = by;
    const madeBy = by.key ? { k: by.key.id } : sessionId !== undefined && { s: sessionId };
    if (!madeBy) throw new AppError('session-expired');
    const name = nameKey(nameInPath(companyId, pathInUri(bucket, gsUri)));
    const claims = await db.asActor(by, async (tx) => {
      const [document] = await tx
        .select()
        .from(documents)
        .where(and(eq(documents.nameKey, name), isNull(documents.deletedAt)));
      if (!document) throw new AppError('file-not-found');
      const wanted = version ?? document.currentVersion ?? document.newestVersion;
      if (wanted > document.newestVersion) throw new AppError('file-not-found');
      await audit(tx, { action: 'file-opened', by, target: document.name, details: { version: wanted } });
      return { c: companyId, d: document.id, v: wanted, u: userId, ...madeBy, m: clock() };
    });
    return `${publicUrl}/files/${sign(claims)}`;
  }

  /**
   * The file behind a link.
   * @throws AppError `file-not-found` for a forged or expired link, a deleted file, and whoever has lost access or
   * signed out.
   */
  async function open(token: string): Promise<LinkedFile> {
    const claims = verify(token);
    if (!claims || claims.m + validSeconds * 1000 < clock()) throw new AppError('file-not-found');
    return fileOf(claims);
  }

  /** @throws AppError `file-not-found` where it is deleted, or not to be seen by them any more */
  async function fileOf(claims: Claims): Promise<LinkedFile> {
    const found = await db.asActor({ companyId: claims.c, userId: claims.u }, async (tx) => {
      const [file] = await tx
        .select({
          name: documents.name,
          mediaType: versions.mediaType,
          size: versions.size,
          sha256: versions.sha256,
          objectKey: versions.objectKey,
        })
        .from(versions)
        .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
        // A company that ends is closed.
        .innerJoin(companies, and(eq(companies.id, versions.companyId), isNull(companies.endsAt)))
        .where(and(eq(versions.documentId, claims.d), eq(versions.version, claims.v), isNull(documents.deletedAt)));
      return file && { file, holder: await holderIn(tx, claims) };
    });
    if (!found || !(await holds(claims, found.holder))) throw new AppError('file-not-found');
    return found.file;
  }

  /** Null where the key or the person of a link is gone, or the person's tokens of then have ended: as of a bearer. */
  async function holderIn(tx: Tx, { u, k, m }: Claims): Promise<{ providerUid: string | null } | null> {
    if (k !== undefined) return (await isLiveKey(tx, k, new Date(clock()))) ? { providerUid: null } : null;
    const isTheirs = and(eq(users.id, u), eq(users.state, 'active'), lte(users.tokensValidSince, new Date(m)));
    const [user] = await tx.select({ providerUid: users.providerUid }).from(users).where(isTheirs);
    return user ?? null;
  }

  async function holds({ k, s }: Claims, holder: { providerUid: string | null } | null): Promise<boolean> {
    if (!holder || k !== undefined) return holder !== null;
    return holder.providerUid !== null && s !== undefined && sessionIsOpen(holder.providerUid, s);
  }

  /**
   * Calls back once when the file behind a link is deleted, or its person sees it no more, while it is being sent. That
   * may take longer than the link can be opened. A look that fails says neither: it is taken again until one answers.
   * @returns how to stop
   */
  async function watch(token: string, ended: () => void): Promise<() => void> {
    const claims = verify(token);
    if (!claims) return () => {};
    const { look, stop: stopLooking } = lookingUntilTold(() => fileOf(claims), ended);
    const heard = ({ companyId, documentId }: Record<string, unknown>) => {
      if (companyId === claims.c && (documentId === undefined || documentId === claims.d)) look();
    };
    const stop = await db.listen('files', heard, look);
    return () => {
      stopLooking();
      stop();
    };
  }

  /** Whose link it is, whether it holds or not; null for a forged one. */
  function holderOf(token: string): LinkHolder | null {
    const claims = verify(token);
    return claims && holderNamed(claims);
  }

  return { linkTo, holderOf, open, watch };
}

function holderNamed({ c, u, s, k }: Claims): LinkHolder {
  return { companyId: c, userId: u, sessionId: s, key: k === undefined ? undefined : { id: k } };
}

/** Takes a look that fails again until one says whether the file is there. @param ended called where it is not */
function lookingUntilTold(fileOf: () => Promise<LinkedFile>, ended: () => void): { look(): void; stop(): void } {
  let again: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = () =>
    void fileOf().catch((error) => {
      if (error instanceof AppError && error.code === 'file-not-found') return ended();
      if (!isOver) again ??= setTimeout(lookAgain, lookAgainMs).unref();
    });
  const lookAgain = () => {
    again = undefined;
    look();
  };
  return {
    look,
    stop() {
      isOver = true;
      clearTimeout(again);
    },
  };
}

export type FileLinks = ReturnType<typeof createFileLinks>;
