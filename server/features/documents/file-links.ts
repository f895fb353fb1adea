import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { documents, versions } from '#server/db/schema.ts';
import { nameInPath, nameKey, pathInUri } from './names.ts';

const validSeconds = 600;

export interface FileLinksDeps {
  db: Database;
  /** Secret of the links' signatures. */
  key: Uint8Array;
  bucket: string;
  publicUrl: string;
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
  /** company, document, version, expiry in seconds */
  c: string;
  d: string;
  v: number;
  e: number;
}

/**
 * Signed links to originals. A link carries its own right, so that a new tab can open it without a bearer, and ends
 * after 10 minutes or with its document, whichever comes first.
 */
export function createFileLinks({ db, key, bucket, publicUrl, clock = Date.now }: FileLinksDeps) {
  /**
   * @param version a version; absent: the current one, or the newest while none is ready
   * @throws AppError `file-not-found`
   */
  async function linkTo(companyId: string, gsUri: string, version?: number): Promise<string> {
    const name = nameKey(nameInPath(companyId, pathInUri(bucket, gsUri)));
    const [document] = await db.asCompany(companyId, (tx) =>
      tx
        .select()
        .from(documents)
        .where(and(eq(documents.nameKey, name), isNull(documents.deletedAt))),
    );
    if (!document) throw new AppError('file-not-found');
    const wanted = version ?? document.currentVersion ?? document.newestVersion;
    if (wanted > document.newestVersion) throw new AppError('file-not-found');
    const expiry = Math.floor(clock() / 1000) + validSeconds;
    return `${publicUrl}/files/${sign({ c: companyId, d: document.id, v: wanted, e: expiry })}`;
  }

  /** The file behind a link. @throws AppError `file-not-found` for a forged or expired link and a deleted file */
  async function open(token: string): Promise<LinkedFile> {
    const claims = verify(token);
    if (!claims || claims.e < clock() / 1000) throw new AppError('file-not-found');
    const [file] = await db.asCompany(claims.c, (tx) =>
      tx
        .select({
          name: documents.name,
          mediaType: versions.mediaType,
          size: versions.size,
          sha256: versions.sha256,
          objectKey: versions.objectKey,
        })
        .from(versions)
        .innerJoin(documents, and(eq(documents.companyId, versions.companyId), eq(documents.id, versions.documentId)))
        .where(and(eq(versions.documentId, claims.d), eq(versions.version, claims.v), isNull(documents.deletedAt))),
    );
    if (!file) throw new AppError('file-not-found');
    return file;
  }

  function sign(claims: Claims): string {
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `${body}.${mac(body)}`;
  }

  /** Compares the text of the signature: its decoder would pass over what does not belong there. */
  function verify(token: string): Claims | null {
    const dot = token.lastIndexOf('.');
    const body = token.slice(0, Math.max(0, dot));
    const given = Buffer.from(token.slice(dot + 1));
    const expected = Buffer.from(mac(body));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return JSON.parse(Buffer.from(body, 'base64url').toString());
  }

  function mac(body: string): string {
    return createHmac('sha256', key).update(body).digest('base64url');
  }

  return { linkTo, open };
}

export type FileLinks = ReturnType<typeof createFileLinks>;
