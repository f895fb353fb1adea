import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { madeOnce, putWhole } from './whole-file.ts';

/** Seals what must be of no use to whoever has the database alone. */
export interface Sealer {
  /**
   * @param context what it belongs to: it can be opened with the same alone, so that a row that is copied elsewhere is
   * of no use there
   */
  seal(text: string, context: string): Promise<string>;
  /** @throws CannotOpen for what was sealed with another key, for another context, or changed */
  open(sealed: string, context: string): Promise<string>;
}

export class CannotOpen extends Error {}

/** Where the key is kept: outside of the database. */
export interface KeyPlace {
  dataDir: string;
  /** The operator's; any text of 32 characters or more. Absent: a file below `dataDir`, made at the first start. */
  secretKey?: string | undefined;
  /** The one before, which still opens what it has sealed. */
  secretKeyBefore?: string | undefined;
}

/**
 * The first key seals, and any of them opens: while keys are changed, some of what is stored was sealed with the one
 * before. They are read with each use, so that a change needs no restart where they stand in the file.
 */
export async function openSealer(place: KeyPlace): Promise<Sealer> {
  await keysAt(place);
  return {
    async seal(text, context) {
      const [first] = await keysAt(place);
      if (!first) throw new Error('there is no key to seal with');
      return new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: first.id, ctx: context })
        .encrypt(first.key);
    },

    async open(sealed, context) {
      try {
        const { kid } = decodeProtectedHeader(sealed);
        const used = (await keysAt(place)).find(({ id }) => id === kid);
        if (!used) throw new Error('sealed with a key that is not here');
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, used.key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        if (protectedHeader.ctx !== context) throw new Error('sealed for something else');
        return new TextDecoder().decode(plaintext);
      } catch (cause) {
        throw new CannotOpen('sealed with another SECRET_KEY, or changed', { cause });
      }
    },
  };
}

/** Where the key lies that is used where `SECRET_KEY` is not set. */
export function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/**
 * Puts a new key in front of the one in the file, which stays for what it has sealed; what was before that one goes.
 * For whoever has sealed everything with that one before, and does so with the new one after.
 */
export async function renewKeyFile(dataDir: string): Promise<void> {
  const path = secretKeyPath(dataDir);
  const [newest = ''] = await keyFile(dataDir);
  await putWhole(path, `${newKey()}\n${newest}\n`, (made) => rename(made, path));
}

interface Key {
  id: string;
  key: Uint8Array;
}

async function keysAt({ dataDir, secretKey, secretKeyBefore }: KeyPlace): Promise<Key[]> {
  if (secretKey === undefined) return (await keyFile(dataDir)).map(keyOf);
  // Of before the operator has set a key of their own.
  const ofFile = await readFile(secretKeyPath(dataDir), 'utf8').then(linesOf, () => []);
  return [secretKey, ...(secretKeyBefore === undefined ? [] : [secretKeyBefore]), ...ofFile].map(keyOf);
}

function keyOf(secret: string): Key {
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'footnote sealed', 32));
  return { key, id: createHash('sha256').update('id of ').update(key).digest('base64url').slice(0, 8) };
}

/** The keys in the file, the newest first; made where there is none. */
async function keyFile(dataDir: string): Promise<string[]> {
  const path = secretKeyPath(dataDir);
  return keysIn(await madeOnce(path, () => `${newKey()}\n`), path);
}

function keysIn(text: string, path: string): string[] {
  const secrets = linesOf(text);
  if (secrets.length === 0 || secrets.some((secret) => secret.length < 32)) throw new Error(`${path} holds no key`);
  return secrets;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
