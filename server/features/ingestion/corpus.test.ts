import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fold, realFilesFolder as folder, type RealFile, realFiles } from '#server/testing/real-files.ts';
import { chunkBlocks } from './chunk.ts';
import { detectFile } from './detect.ts';
import { formats } from './document.ts';
import { placeBlocks } from './place.ts';
import { ParseFailure } from './reasons.ts';
import { createSandbox, type ParsedDocument, parsePatiently, type Sandbox } from './sandbox/sandbox.ts';

const acceptedLabels = Object.values(formats).map(({ label }) => label);

describe.skipIf(realFiles().length === 0)('real files', { concurrent: true, timeout: 900_000 }, () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = createSandbox({ log: { warn() {} }, concurrency: 2 });
  });
  afterAll(() => sandbox.close());

  const rows = realFiles();
  const own = rows.filter((row) => !row.hostile);
  const good = own.filter((row) => row.readable && ['ok', 'ocr'].includes(row.expect));
  const textless = own.filter((row) => row.expect === 'no-text');
  const hostile = rows.filter((row) => row.hostile);
  const others = own.filter((row) => !row.readable);

  test.for(good)('finds the known text of $path ($special)', async ({ path, known, place }) => {
    const document = await read(path);
    expect(fold(textOf(document))).toContain(fold(known));
    if (known !== '') expect(fold(textAt(document, place))).toContain(fold(known));
    expect(document.blocks.length).toBeGreaterThan(0);
    expect(document.blocks.every((block) => block.text.isWellFormed() && !block.text.includes('\0'))).toBe(true);
    for (const chunk of chunkBlocks(placeBlocks(document.blocks))) expect(chunk.text.length).toBeLessThanOrEqual(2000);
  });

  test.each(textless)('says that $path has no text', async ({ path }) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'no-text' });
  });

  test.each(hostile)('$path ($special) ends by itself', async ({ path, known, expect: expected }) => {
    const outcome = await read(path).catch((error: unknown) => error);
    if (outcome instanceof ParseFailure) {
      expect(outcome.reason).toMatch(/^[A-Z].*\.$/);
      if (expected.startsWith('password')) expect(outcome.reason).toMatch(/password|Accepted are/);
    } else {
      const document = outcome as ParsedDocument;
      expect(document.blocks.length).toBeGreaterThan(0);
      expect(expected).not.toMatch(/^password/);
      // Its content is HTML, and HTML is read; the name does not matter.
      if (path !== 'hostile/really-html.pdf') expect(expected).not.toBe('reject');
      if (known) expect(fold(textOf(document))).toContain(fold(known));
    }
  });

  test.each(others)('refuses $path with what is accepted', async ({ path }) => {
    const detected = await detectFile(join(folder, path), path);
    expect(detected).toHaveProperty('refused');
    if ('refused' in detected) for (const label of acceptedLabels) expect(detected.refused).toContain(label);
  });

  async function read(path: string): Promise<ParsedDocument> {
    const detected = await detectFile(join(folder, path), path);
    if ('refused' in detected) throw new ParseFailure(detected.refused);
    return parsePatiently(sandbox, { path: join(folder, path), format: detected.format, name: path });
  }
});

function textOf(document: ParsedDocument): string {
  return document.blocks.map(({ text }) => text).join('\n');
}

/** The text of a page or slide by its number, or of a sheet or chapter by its name; 1 is the first of them. */
function textAt({ blocks }: ParsedDocument, place: RealFile['place']): string {
  let part: string | undefined;
  const parts = blocks.map((block) => {
    part = block.part ?? part;
    return { ...block, part };
  });
  const first = parts[0]?.part;
  return parts
    .filter((block) => (block.page === undefined ? block.part === (place === 1 ? first : place) : block.page === place))
    .map(({ text }) => text)
    .join('\n');
}
