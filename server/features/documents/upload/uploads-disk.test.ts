import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { folderLike } from '#server/testing/folder-like.ts';
import { locationOf, type RawTus, rawTus } from '#server/testing/tus.ts';

// A disk without room, and an upload that goes on when there is some again.

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

const content = Buffer.from('All work and no play makes Jack a dull boy.\n'.repeat(40_000));

/** An upload that meets a disk without room after `full`, and one with room after `roomy`. */
async function goesOn(tus: RawTus, full: () => unknown, roomy: () => unknown): Promise<void> {
  const location = locationOf(await tus.begin('dull.txt', { size: content.length }));
  await full();
  const refused = await tus.patch(location, 0, content);
  await roomy();
  expect([refused.status, refused.code]).toEqual([507, 'storage-full']);
  const offset = await tus.offset(location);
  expect(offset).toBeLessThan(content.length);
  const last = await tus.patch(location, offset, content.subarray(offset));
  expect([last.status, JSON.parse(last.body).version]).toEqual([200, 1]);
}

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
test.skipIf(!canLimit)('files may not grow: told as a full disk, and gone on with later', async () => {
  const limit = (size: string) => {
    const done = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:unlimited`], {
      encoding: 'utf8',
    });
    expect(done.status, done.stderr).toBe(0);
  };
  try {
    await goesOn(
      rawTus(app, token),
      () => limit('1000000'),
      () => limit('unlimited'),
    );
  } finally {
    limit('unlimited');
  }
  const [file] = await app.call('getCompanyFiles', null, { token });
  const { url } = await app.call('getFileLink', { gsUri: `gs://${file?.bucket}/${file?.path}` }, { token });
  expect(Buffer.from(await (await app.fetch(url)).arrayBuffer()).equals(content)).toBe(true);
});

// Root mounts as itself; anyone else where the system lets them be root of a namespace, which has no other user.
const asRoot = process.getuid?.() === 0 ? '-m' : '-rm';
const canMount = process.platform === 'linux' && spawnSync('unshare', [asRoot, 'true']).status === 0;
test.skipIf(!canMount)('a disk that is full: the server lives, and the upload goes on when there is room', async () => {
  const folder = await folderLike(app.config.dataDir);
  await mkdir(join(folder, 'uploads'));
  const script = 'mount -t tmpfs -o size=2m none "$1" && exec "$2" server/main.ts';
  const child = spawn('unshare', [asRoot, 'sh', '-c', script, 'sh', join(folder, 'uploads'), process.execPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DATABASE_URL: app.config.databaseUrl,
      BILLING: 'off',
      LOG_LEVEL: 'error',
      // Room is what this disk is not to have.
      MIN_FREE_DISK_MB: '0',
    },
  });
  const exited = once(child, 'exit');
  try {
    const url = await addressOf(child);
    const fetchThere = (path: string, init?: RequestInit) => fetch(url + path, init);
    const company = await app.signUp();
    const { idToken } = await createClient(url).call('signIn', {
      email: company.admin.email,
      password: company.admin.password,
    });
    const ballast = `/proc/${child.pid}/root${join(folder, 'uploads', 'ballast')}`;
    await goesOn(
      rawTus({ url, fetch: fetchThere }, idToken),
      // There is room when it begins; what fills the disk comes after.
      () => writeFile(ballast, Buffer.alloc(1024 * 1024)),
      () => rm(ballast),
    );
    expect((await fetchThere('/readyz')).status).toBe(200);
  } finally {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true });
  }
});

async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (http:[^)]+)/.exec(line)?.[1];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('the server ended before it served');
}
