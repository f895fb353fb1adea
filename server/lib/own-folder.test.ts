import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openOwnFolder } from './own-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'footnote-own-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function makeOther(name: string, lastSeen: Date): Promise<void> {
  await mkdir(join(parent, name));
  await writeFile(join(parent, name, 'input'), 'bytes of an original');
  await utimes(join(parent, name), lastSeen, lastSeen);
}

test('beside others, those of processes that are gone are removed, and those of living ones stay', async () => {
  await makeOther('gone', minutesAgo(16));
  await makeOther('living', minutesAgo(1));
  const own = await openOwnFolder(parent, { alone: false });
  expect((await readdir(parent)).sort()).toEqual([basename(own.path), 'living'].sort());
  await makeOther('gone later', minutesAgo(16));
  await own.removeLeft();
  expect((await readdir(parent)).sort()).toEqual([basename(own.path), 'living'].sort());
  await own.close();
  expect(await readdir(parent)).toEqual(['living']);
});

test('alone, whatever lies there was left', async () => {
  await makeOther('killed just now', new Date());
  const own = await openOwnFolder(parent, { alone: true });
  expect(await readdir(parent)).toEqual([basename(own.path)]);
  await own.close();
});
