import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CannotOpen, openSealer, renewKeyFile } from './sealed.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-sealed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('what is sealed is opened again after a restart, by whoever has the key, and for what it was sealed for', async () => {
  const dataDir = await newFolder();
  const sealers = await Promise.all(Array.from({ length: 5 }, () => openSealer({ dataDir })));
  const sealed = (await sealers[0]?.seal('a secret', 'ann')) ?? '';
  expect(sealed).not.toContain('secret');
  for (const sealer of [...sealers, await openSealer({ dataDir })])
    expect(await sealer.open(sealed, 'ann')).toBe('a secret');
  const [again, other] = [await sealers[1]?.seal('a secret', 'ann'), await openSealer({ dataDir: await newFolder() })];
  expect(again).not.toBe(sealed);
  await expect(sealers[0]?.open(sealed, 'ben')).rejects.toThrow(CannotOpen);
  await expect(other.open(sealed, 'ann')).rejects.toThrow(CannotOpen);
  const [head, ...rest] = sealed.split('.');
  const [tag = '', ...parts] = sealed.split('.').toReversed();
  // By another letter, whatever it was.
  const otherTag = [...parts.toReversed(), `${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`].join('.');
  for (const changed of ['', 'nonsense', [head, ...rest.toReversed()].join('.'), otherTag])
    await expect(sealers[0]?.open(changed, 'ann')).rejects.toThrow(CannotOpen);
  const path = join(dataDir, 'secret.key');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(path, 'utf8'), 'base64url')).toHaveLength(32);
});

test('a key of the operator’s leaves no file, and is the same everywhere', async () => {
  const secretKey = 'thirty-two characters or more, as said';
  const dataDir = await newFolder();
  const sealed = await (await openSealer({ dataDir, secretKey })).seal('a secret', 'ann');
  expect(await (await openSealer({ dataDir: '/nowhere', secretKey })).open(sealed, 'ann')).toBe('a secret');
  await expect(stat(join(dataDir, 'secret.key'))).rejects.toThrow();
});

test('after a change of the key in the file both open, the new one seals, and one more change ends the first', async () => {
  const dataDir = await newFolder();
  const running = await openSealer({ dataDir });
  const first = await running.seal('a secret', 'ann');
  await renewKeyFile(dataDir);
  const second = await running.seal('a secret', 'ann');
  const started = await openSealer({ dataDir });
  for (const sealer of [running, started])
    for (const sealed of [first, second]) expect(await sealer.open(sealed, 'ann')).toBe('a secret');
  await renewKeyFile(dataDir);
  expect(await running.open(second, 'ann')).toBe('a secret');
  await expect(running.open(first, 'ann')).rejects.toThrow(CannotOpen);
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
});

test('a key of the operator’s opens beside the one before, and beside what the file had sealed', async () => {
  const dataDir = await newFolder();
  const [one, two] = ['the first key of the operator, long enough', 'the second key of the operator, long enough'];
  const byFile = await (await openSealer({ dataDir })).seal('a secret', 'ann');
  const byOne = await (await openSealer({ dataDir, secretKey: one })).seal('a secret', 'ann');
  const changed = await openSealer({ dataDir, secretKey: two, secretKeyBefore: one });
  const byTwo = await changed.seal('a secret', 'ann');
  for (const sealed of [byFile, byOne, byTwo]) expect(await changed.open(sealed, 'ann')).toBe('a secret');
  const after = await openSealer({ dataDir, secretKey: two });
  expect(await after.open(byTwo, 'ann')).toBe('a secret');
  await expect(after.open(byOne, 'ann')).rejects.toThrow(CannotOpen);
});
