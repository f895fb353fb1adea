import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { erasureLedger, readErasureLedger } from './erasure-ledger.ts';

test('what is noted behind a line that was cut short is read like the rest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-ledger-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'deep', 'erased.txt');
  const ledger = erasureLedger(path);
  const [first, cut, second, third] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await ledger.note([first]);
  await appendFile(path, cut.slice(0, 11));
  await ledger.note([second, third]);
  expect(await readErasureLedger(path)).toEqual([first, second, third]);
  await ledger.note([first]);
  expect(await readFile(path, 'utf8')).toBe([first, cut.slice(0, 11), second, third, first, ''].join('\n'));
});
