import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Another process works on this folder. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another Footnote is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`);
    this.name = 'DataDirInUse';
  }
}

/**
 * Takes the folder for this process alone. Two first starts at once would destroy each other's database, so this comes
 * before anything else; it ends with the process, however that ends.
 * @param folder its real path
 * @returns how to let go
 * @throws DataDirInUse
 */
export function lockFolder(folder: string): Promise<() => Promise<void>> {
  return process.platform === 'linux' ? lockBySocket(folder) : lockByFile(folder);
}

/** An abstract socket has no file that could outlive its process. */
async function lockBySocket(folder: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const server = createServer((connection) => connection.destroy());
  server.unref();
  try {
    server.listen(`\0footnote-${name}`);
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new DataDirInUse(folder);
    throw error;
  }
  return async () => {
    server.close();
  };
}

async function lockByFile(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (isAlive(Number(await readFile(path, 'utf8').catch(() => '0')))) throw new DataDirInUse(folder);
      await rm(path, { force: true });
    }
  }
  throw new DataDirInUse(folder);
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
