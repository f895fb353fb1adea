import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unfinishedDatabase } from '#server/testing/unfinished.ts';
import { fileStoreContract } from './contract.ts';
import { unfinishedContract } from './contract-unfinished.ts';
import { diskFiles } from './disk.ts';
import { unfinishedOnDisk } from './unfinished-disk.ts';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'footnote-disk-'));
});
afterAll(() => rm(base, { recursive: true }));

const emptyRoot = async () => mkdtemp(join(base, 'root-'));

fileStoreContract('disk', async () => diskFiles({ root: await emptyRoot() }));
unfinishedContract('disk', unfinishedDatabase(), async () => {
  const files = diskFiles({ root: await emptyRoot() });
  const root = await emptyRoot();
  return { process: () => unfinishedOnDisk({ root, files }), files };
});

describe('files on disk', () => {
  test('the folder is made when the first file comes', async () => {
    const root = join(await emptyRoot(), 'deep', 'files');
    const files = diskFiles({ root });
    expect(await files.list('')).toEqual([]);
    await files.put('a/b', Readable.from(['text']));
    expect(await files.list('')).toEqual(['a/b']);
  });

  test('a put that breaks off leaves no file of any name', async () => {
    const root = await emptyRoot();
    const content = new Readable({ read() {} });
    content.push(Buffer.alloc(1000));
    const put = diskFiles({ root }).put('a/b', content);
    content.destroy(new Error('cut off'));
    await expect(put).rejects.toThrow('cut off');
    const left = await readdir(root, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  test('what a killed process was writing goes after a day, and not before', async () => {
    const root = await emptyRoot();
    const unfinished = join(root, '.unfinished');
    await mkdir(unfinished);
    await writeFile(join(unfinished, 'old'), 'half');
    await writeFile(join(unfinished, 'young'), 'half');
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(join(unfinished, 'old'), before, before);
    const files = diskFiles({ root });
    await files.put('a', Readable.from(['text']));
    expect(await readdir(unfinished)).toEqual(['young']);
    expect(await files.list('')).toEqual(['a']);
  });

  test.skipIf(process.platform !== 'linux')('an aborted read leaves no file open', async () => {
    const root = await emptyRoot();
    const files = diskFiles({ root });
    await files.put('one', Readable.from([Buffer.alloc(1_000_000)]));
    for (let i = 0; i < 20; i++) {
      const stream = await files.get('one');
      if (i % 2) await once(stream, 'readable');
      stream.destroy();
      await once(stream, 'close');
    }
    expect(await openFilesBelow(root)).toEqual([]);
  });

  const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;
  test.skipIf(!canMount)('a full disk is told as such, and leaves nothing', async () => {
    const root = await emptyRoot();
    const elsewhere = await emptyRoot();
    const script = `
      import { Readable } from 'node:stream';
      import { writeFile, readdir } from 'node:fs/promises';
      import { diskFiles } from '#server/ports/files/disk.ts';
      const [, root, elsewhere] = process.argv;
      const files = diskFiles({ root });
      const said = [];
      await files.put('big', Readable.from([Buffer.alloc(3e6)])).catch((error) => said.push(error.code));
      await writeFile(elsewhere + '/upload', Buffer.alloc(3e6));
      await files.putFile('big', elsewhere + '/upload').catch((error) => said.push(error.code));
      await files.put('small', Readable.from(['text']));
      said.push(...(await files.list('')), ...(await readdir(root + '/.unfinished')));
      console.log(said.join());
    `;
    const command =
      'mount -t tmpfs -o size=1m none "$1" && mount -t tmpfs none "$2" && exec "$3" --input-type=module -e "$4" "$1" "$2"';
    const args = ['-m', 'sh', '-c', command, 'sh', root, elsewhere, process.execPath, script];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect(stdout.trim(), stderr).toBe('storage-full,storage-full,small');
  });
});

async function openFilesBelow(folder: string): Promise<string[]> {
  const open = await readdir('/proc/self/fd');
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}
