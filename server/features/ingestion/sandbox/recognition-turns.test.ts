import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScan } from '../fixtures.ts';
import type { RecognisedPage } from '../parsers/parser.ts';
import { createSandbox, type ParseRequest } from './sandbox.ts';

// Documents whose pictures are recognised let each other go on, and none of it is done twice.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-turns-'));
  for (const name of ['harbour', 'canteen']) {
    const pages = [1, 2, 3].map((page) => [
      [`The ${name} opens at ${page + 6} in the morning.`, 16] as [string, number],
    ]);
    await writeFile(join(folder, `${name}.pdf`), await makeScan(pages));
  }
});
afterAll(() => rm(folder, { recursive: true }));

const log = { warn() {} };
const request = (name: string, more: Partial<ParseRequest> = {}): ParseRequest => ({
  path: join(folder, `${name}.pdf`),
  format: 'pdf',
  mayTakeLong: true,
  ...more,
});

test('take turns page by page, and say the same as when they are alone', { timeout: 240_000 }, async () => {
  const alone = await createSandbox({ log, ocrLanguages: ['eng'] });
  const expected = await alone.parse(request('harbour'));
  await alone.close();
  expect(expected.blocks).toHaveLength(3);

  const sandbox = await createSandbox({ log, ocrLanguages: ['eng'], turnMs: 0 });
  const order: string[] = [];
  const progress: number[] = [];
  const follow = (name: string) => ({ onRecognised: ({ number }: RecognisedPage) => order.push(`${name} ${number}`) });
  const [harbour, canteen] = await Promise.all([
    sandbox.parse(request('harbour', { ...follow('harbour'), onProgress: (done) => progress.push(done) })),
    sandbox.parse(request('canteen', follow('canteen'))),
  ]);
  // The second has begun before the first is at its end, and each page was recognised once.
  expect(order.indexOf('canteen 1')).toBeLessThan(order.indexOf('harbour 3'));
  expect(order.filter((each) => each.startsWith('harbour'))).toEqual(['harbour 1', 'harbour 2', 'harbour 3']);
  expect(order.filter((each) => each.startsWith('canteen'))).toEqual(['canteen 1', 'canteen 2', 'canteen 3']);
  expect(harbour).toEqual(expected);
  expect(canteen.blocks.map(({ page }) => page)).toEqual([1, 2, 3]);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  await sandbox.close();
});

test('go on after the pages that a process before has recognised', { timeout: 240_000 }, async () => {
  const sandbox = await createSandbox({ log, ocrLanguages: ['eng'] });
  const all: RecognisedPage[] = [];
  const whole = await sandbox.parse(request('harbour', { onRecognised: (page) => all.push(page) }));
  const anew: number[] = [];
  const known = all.slice(0, 2);
  const rest = await sandbox.parse(request('harbour', { known, onRecognised: ({ number }) => anew.push(number) }));
  expect(anew).toEqual([3]);
  expect(rest).toEqual(whole);
  await sandbox.close();
});
