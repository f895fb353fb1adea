import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makePrivate } from './private-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'footnote-private-'));
afterAll(() => rmSync(base, { recursive: true }));
const modeOf = (path: string) => statSync(path).mode & 0o7777;

test('a folder is made for its owner alone, and one that others could read becomes so', async () => {
  const made = join(base, 'made', 'deep');
  await makePrivate(made);
  expect(modeOf(made)).toBe(0o700);
  const open = join(base, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  await makePrivate(open);
  expect(modeOf(open)).toBe(0o700);
});

test('one that everybody uses stays as it is', async () => {
  const shared = join(base, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  await makePrivate(shared);
  expect(modeOf(shared)).toBe(0o1777);
});
