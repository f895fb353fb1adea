import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { makePrivate } from './private-folder.ts';

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

/**
 * The key stands outside of the database: given by the operator, or in a file below `DATA_DIR` that is made at the first
 * start.
 * @param secretKey the operator's; any text of 32 characters or more
 */
export async function openSealer(config: { dataDir: string; secretKey?: string | undefined }): Promise<Sealer> {
  const secret = config.secretKey ?? (await keyFile(config.dataDir));
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'footnote sealed', 32));
  const kid = createHash('sha256').update('id of ').update(key).digest('base64url').slice(0, 8);
  return {
    seal: (text, context) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, ctx: context })
        .encrypt(key),

    async open(sealed, context) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
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

async function keyFile(dataDir: string): Promise<string> {
  const path = secretKeyPath(dataDir);
  await makePrivate(dataDir);
  const there = await readFile(path, 'utf8').catch(() => null);
  if (there !== null) return keyIn(there, path);
  // Of several processes that start at once one writes, the others read. Whole at once: a name that is there is a key
  // that can be read.
  const made = `${path}.${randomUUID()}`;
  await writeFile(made, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(made, path);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
  } finally {
    await unlink(made);
  }
  return keyIn(await readFile(path, 'utf8'), path);
}

function keyIn(text: string, path: string): string {
  const secret = text.trim();
  if (secret.length < 32) throw new Error(`${path} holds no key`);
  return secret;
}
