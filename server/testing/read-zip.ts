import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';

/**
 * What is in a zip file, by readers that we did not write: the whole is checked by `unzip -t` where that is installed,
 * and each entry's checksum here.
 * @returns contents by path, in the order of the directory
 */
export async function readZip(zip: Buffer): Promise<Map<string, Buffer>> {
  await testWithUnzip(zip);
  const entries = new Map<string, Buffer>();
  const file = await yauzl.fromBufferPromise(zip, { strictFileNames: true });
  for await (const entry of file.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await file.openReadStreamPromise(entry)) pieces.push(piece);
    const content = Buffer.concat(pieces);
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} is not what its checksum says`);
    if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`);
    entries.set(entry.fileName, content);
  }
  return entries;
}

async function testWithUnzip(zip: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-zip-'));
  try {
    const path = join(folder, 'export.zip');
    await writeFile(path, zip);
    const { error, status, stdout } = spawnSync('unzip', ['-tq', path], { encoding: 'utf8' });
    if (!error && status !== 0) throw new Error(`unzip -t: ${stdout}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
