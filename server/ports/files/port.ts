import type { Readable } from 'node:stream';

/**
 * Where the bytes of documents lie. Keys are ours (`<companyId>/<documentId>/<version>`), never a name that a user
 * chose. Errors: `get` and `size` of an absent key throw FileAbsent; a full disk throws AppError `storage-full`.
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
