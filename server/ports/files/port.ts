import type { Readable } from 'node:stream';
import type { Tx } from '#server/db/db.ts';

/**
 * Where the bytes of documents lie. Keys are ours (`<companyId>/<uploadId>`, or of an attachment
 * `<companyId>/<documentId>/<version>.<attempt>.<index>`), never a name that a user chose. Errors: `get` and `size` of
 * an absent key throw FileAbsent; a full disk throws AppError `storage-full`.
 */
export interface FileStore {
  /** The implementation's name, for `/readyz`. */
  readonly name: string;
  /** Stores a stream under the key, whole or not at all. Idempotent: the same key again replaces. */
  put(key: string, content: Readable): Promise<void>;
  /** Takes over a local file; cheaper than `put` where it can be renamed. The file is gone afterwards. */
  putFile(key: string, path: string): Promise<void>;
  /** Bytes from `start` to `end`, both inclusive; without a range the whole. */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  size(key: string): Promise<number>;
  /** Removes the key; absent is fine. Idempotent. */
  delete(key: string): Promise<void>;
  /** Keys that start with the prefix, in any order. */
  list(prefix: string): Promise<string[]>;
}

/** Which unfinished upload: those of another company can't be reached by it. */
export interface UnfinishedKey {
  companyId: string;
  /** Ours, and one part of a key. */
  uploadId: string;
}

/** More of the beginning than this is not kept at hand. */
export const headBytes = 4096;

/**
 * The bytes of files that arrive in pieces, until they are stored whole. What is kept outlives the process, and any
 * process that shares the place goes on with it. One writer at a time; of two that write all the same (a process that
 * does not know yet that it has lost its lock) the second is refused, or both have the same bytes to write.
 */
export interface UnfinishedFiles {
  /** Whether what arrives takes room on the disk of this machine until it is whole. */
  readonly isLocal: boolean;
  /** Begins one of `size` bytes with none, also in place of one that is there. @throws AppError `storage-full` */
  create(key: UnfinishedKey, size: number): Promise<void>;
  /** Bytes that are kept; null where it was not begun, or is stored whole. */
  size(key: UnfinishedKey): Promise<number | null>;
  /** The same for many of the company of the transaction, without those of which nothing is there. */
  sizes(tx: Tx, uploadIds: readonly string[]): Promise<Map<string, number>>;
  /**
   * Writes a piece at the offset, where it is at. What arrives before a cut or a full disk stays.
   * @returns the offset after it
   * @throws AppError `storage-full`, `unavailable`; `upload-conflict` where it is not at this offset (any more), and
   * the sender has to ask where it is
   */
  append(key: UnfinishedKey, offset: number, piece: Readable): Promise<number>;
  /** The first bytes, `headBytes` at most. */
  head(key: UnfinishedKey): Promise<Uint8Array>;
  /**
   * Stores one that has all its bytes in the file store under the key, whole; from then on it is only there. Asked
   * again after a reply that was lost, or by a process that goes on for another, it ends the same.
   * @throws AppError `storage-full`, `unavailable`; `upload-not-found` where nothing of it is there, whole or not;
   * `upload-conflict` where bytes were lost, and have to be sent again
   */
  store(key: UnfinishedKey, fileKey: string): Promise<void>;
  /** Removes what is kept; absent is fine. */
  remove(key: UnfinishedKey): Promise<void>;
  /** Those that nothing was written to since. */
  idle(before: Date): Promise<{ uploadId: string; remove(): Promise<void> }[]>;
}

const validKey = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Whether it may be a key. */
export function isKey(key: string): boolean {
  return validKey.test(key);
}

/**
 * The key, where it is one. No part begins with a dot: neither `..` nor a folder that an implementation has for itself
 * can be named.
 * @throws Error for any other
 */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a key: ${key}`);
  return key;
}

export class FileAbsent extends Error {
  constructor(key: string) {
    super(`no such object: ${key}`);
    this.name = 'FileAbsent';
  }
}
