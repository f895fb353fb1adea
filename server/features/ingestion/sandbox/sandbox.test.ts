import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Format } from '../document.ts';
import { makePdf, makeScan, makeZip, withFile } from '../fixtures.ts';
import type { ParsedDocument } from './collector.ts';
import { parsePatiently } from './patiently.ts';
import { createSandbox, type ParseRequest, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { TakesLong } from './worker.ts';

const silent = { warn() {} };

describe('a child that misbehaves', () => {
  let sandbox: Sandbox;
  const program = fileURLToPath(new URL('./misbehaving-child.ts', import.meta.url));
  beforeAll(async () => {
    sandbox = await createSandbox({ log: silent, program, readMs: 1500, memoryMb: 250, outputBytes: 2_000_000 });
  });
  afterAll(() => sandbox.close());

  const attempt = (input: string, signal?: AbortSignal): Promise<ParsedDocument> =>
    withFile(input, (path) => sandbox.parse({ path, format: 'text', ...(signal && { signal }) }));
  const outcomeOf = async (input: string) => (await attempt(input)).blocks[0]?.text;

  test.each([
    ['read /etc/passwd', 'a file outside'],
    [`read ${process.cwd()}/package-lock.json`, 'a file of the project that is no code of a parser'],
    [`write ${join(tmpdir(), 'written-by-a-child')}`, 'writing a file'],
    ['spawn /bin/true', 'starting a program'],
    ['thread', 'starting a thread'],
  ])('%s: it is refused %s', async (input) => {
    expect(await outcomeOf(input)).toBe('refused: ERR_ACCESS_DENIED');
  });

  test('it has no environment but where to lay aside what it reads', async () => {
    expect(await outcomeOf('environment')).toMatch(/^did it: \{"TMPDIR":"[^"]+\/scratch"\}$/);
  });

  test('it cannot reach the network where the machine allows to cut it off', async ({ skip }) => {
    skip(!sandbox.isolation.includes('no network'), 'this machine does not let a process be cut off');
    const server = createServer((_request, response) => response.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    expect(await outcomeOf(`fetch http://127.0.0.1:${port}/`)).toMatch(/^refused: /);
    server.close();
  });

  test.each([
    ['spin', 'too-slow'],
    ['stand', 'too-slow'],
    ['memory', 'too-much-memory'],
    ['flood', 'too-much-text'],
    ['exit', 'damaged'],
  ])('%s: it is ended, and the reason is %s', { timeout: 120_000 }, async (input, code) => {
    await expect(attempt(input)).rejects.toMatchObject({
      name: 'ParseFailure',
      code,
      reason: expect.stringMatching(/\.$/),
    });
  });

  test('a scan has the memory that is given to it, though its reader maps a gigabyte that it does not use', async () => {
    // So little beside that gigabyte and what V8 maps that recognition would not fit.
    const own = await createSandbox({ log: silent, memoryMb: 950, workbookMemoryMb: 950 });
    const scan = await makeScan([[['A badge is valid for eight hours.', 16]]]);
    const { blocks } = await withFile(scan, (path) => own.parse({ path, format: 'pdf', mayTakeLong: true }));
    expect(blocks).toMatchObject([{ text: 'A badge is valid for eight hours.' }]);
    await own.close();
  });

  test('V8 running out of heap is a lack of memory, and the parent lives', async () => {
    const small = await createSandbox({ log: silent, program, memoryMb: 120, workbookMemoryMb: 120 });
    await withFile('heap', (path) =>
      expect(small.parse({ path, format: 'text' })).rejects.toMatchObject({ code: 'too-much-memory' }),
    );
    await small.close();
  });

  test('as long as it says something new, only what it computes counts', async () => {
    const own = await createSandbox({ log: silent, program, readMs: 1000 });
    const { blocks } = await withFile('talk 3', (path) => own.parse({ path, format: 'text' }));
    expect(blocks).toHaveLength(1);
    await own.close();
  });

  test('what takes long gives way, is read beside the others, and ends too', { timeout: 120_000 }, async () => {
    const own = await createSandbox({
      log: silent,
      program,
      concurrency: 1,
      readMs: 1000,
      longMs: 1500,
      silentMs: 600,
    });
    const parse = (input: string, options: Partial<ParseRequest> = {}) =>
      withFile(input, (path) => own.parse({ path, format: 'text', ...options }));
    await expect(parse('slow')).rejects.toBeInstanceOf(TakesLong);
    await expect(parse('work')).rejects.toBeInstanceOf(TakesLong);
    const read = await withFile('slow', (path) => parsePatiently(own, { path, format: 'text' }));
    expect(read.blocks).toHaveLength(1);

    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const long = { mayTakeLong: true, signal: controller.signal, onProgress: () => started.resolve() };
    const first = expect(parse('work', long)).rejects.toThrow('deleted');
    await started.promise;
    const second = parse('work', { mayTakeLong: true });
    expect((await parse('environment')).blocks).toHaveLength(1);
    controller.abort(new Error('the document was deleted'));
    await first;
    await expect(second).rejects.toMatchObject({ code: 'too-slow' });
    await expect(parse('spin', { mayTakeLong: true })).rejects.toMatchObject({ code: 'too-slow' });
    await own.close();
  });

  test('what asks for time goes on where it is, for a turn, unless others have what there is', async () => {
    const own = await createSandbox({ log: silent, program, turnMs: 100 });
    const parse = (what: string, request: Partial<ParseRequest> = {}) =>
      withFile(what, (path) => own.parse({ path, format: 'pdf', ...request }));
    expect((await parse('ask')).blocks[0]?.text).toBe('did it: goes on');
    await expect(parse('ask work')).rejects.toBeInstanceOf(TakesLong);
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const long = { mayTakeLong: true, signal: controller.signal, onProgress: () => started.resolve() };
    const first = expect(parse('work', long)).rejects.toThrow('deleted');
    await started.promise;
    await expect(parse('ask')).rejects.toBeInstanceOf(TakesLong);
    controller.abort(new Error('the document was deleted'));
    await first;
    expect((await parse('ask')).blocks[0]?.text).toBe('did it: goes on');
    await own.close();
  });

  test('one that takes long and recognises nothing lets those through that wait to be recognised', async () => {
    const own = await createSandbox({ log: silent, program, turnMs: 100 });
    const parse = (what: string, request: Partial<ParseRequest> = {}) =>
      withFile(what, (path) => own.parse({ path, format: 'pdf', mayTakeLong: true, ...request }));
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const first = expect(
      parse('work', { signal: controller.signal, onProgress: () => started.resolve() }),
    ).rejects.toThrow('deleted');
    await started.promise;
    // The second waits for the first; the others are beside it, one after the other.
    for (const _ of ['second', 'third', 'fourth']) expect((await parse('environment')).blocks).toHaveLength(1);
    controller.abort(new Error('the document was deleted'));
    await first;
    await own.close();
  });

  test('messages that are not of the protocol are dropped', async () => {
    expect((await attempt('lie')).blocks).toEqual([{ kind: 'paragraph', text: 'did it: undefined' }]);
  });

  test('an aborted parse ends at once with the reason of the signal', async () => {
    const controller = new AbortController();
    const parsing = attempt('spin', controller.signal);
    const reason = new Error('the document was deleted');
    controller.abort(reason);
    await expect(parsing).rejects.toBe(reason);
    await expect(attempt('exit', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('closing it is no fault of the document', async () => {
    const closing = await createSandbox({ log: silent, program });
    const before = closing.parse({ path: program, format: 'text' });
    const rejected = expect(before).rejects.not.toMatchObject({ name: 'ParseFailure' });
    await closing.close();
    await rejected;
    await expect(closing.parse({ path: program, format: 'text' })).rejects.toThrow('closed');
  });
});

describe('the parsers in it', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ log: silent });
  });
  afterAll(() => sandbox.close());

  const parse = (bytes: Uint8Array | string, format: Format, options?: Partial<SandboxOptions>) =>
    withFile(bytes, async (path) => {
      const own = options ? await createSandbox({ log: silent, ...options }) : sandbox;
      return parsePatiently(own, { path, format }).finally(() => (options ? own.close() : undefined));
    });

  test('30 documents in a row, two at a time', { timeout: 60_000 }, async () => {
    const pdf = await makePdf([['Parking permits cost 40 euros a year.']]);
    const own = await createSandbox({ log: silent });
    for (let count = 0; count < 15; count++) {
      const [a, b] = await Promise.all([
        withFile(pdf, (path) => own.parse({ path, format: 'pdf' })),
        withFile(`# Title\n\nNumber ${count}.`, (path) => own.parse({ path, format: 'markdown' })),
      ]);
      expect(a).toMatchObject({
        pages: 1,
        unreadable: [],
        blocks: [{ page: 1, text: 'Parking permits cost 40 euros a year.' }],
      });
      expect(b.blocks.map(({ text }) => text)).toEqual(['Title', `Number ${count}.`]);
    }
    await own.close();
  });

  test('documents that come at once each get a process of their own', async () => {
    const numbers = Array.from({ length: 8 }, (_, index) => index);
    for (const format of ['text', 'pdf'] as const) {
      const own = await createSandbox({ log: silent, concurrency: 3 });
      const parsed = await Promise.all(
        numbers.map(async (number) => {
          const bytes = format === 'pdf' ? await makePdf([[`Number ${number}`]]) : `Number ${number}`;
          return withFile(bytes, (path) => own.parse({ path, format }));
        }),
      );
      expect(parsed.map(({ blocks }) => blocks.map(({ text }) => text))).toEqual(
        numbers.map((number) => [`Number ${number}`]),
      );
      await own.close();
    }
  });

  test('the document itself is not touched', async () => {
    await withFile('Untouched', async (path) => {
      chmodSync(path, 0o440);
      const before = statSync(path);
      await Promise.all([1, 2, 3].map(() => sandbox.parse({ path, format: 'text' })));
      expect(readFileSync(path, 'utf8')).toBe('Untouched');
      expect(statSync(path)).toMatchObject({ mode: before.mode, ino: before.ino, ctimeMs: before.ctimeMs, nlink: 1 });
    });
  });

  test('progress is told page by page', async () => {
    const told: [number, number][] = [];
    const pdf = await makePdf(Array.from({ length: 60 }, (_, index) => [`Page about subject ${index}.`]));
    await withFile(pdf, (path) =>
      sandbox.parse({ path, format: 'pdf', onProgress: (done, total) => told.push([done, total]) }),
    );
    expect(told.map(([, total]) => total)).toEqual(told.map(() => 60));
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual([60, 60]);
    expect(told).toEqual(told.toSorted(([a], [b]) => a - b));
  });

  test('a large workbook arrives whole, however slowly it is taken', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => [`Row number ${index} of the table`, index]);
    const { blocks } = await parse(await writeXlsx({ sheets: [{ name: 'Long', rows }] }), 'xlsx');
    expect(blocks).toHaveLength(30_000);
  });

  test('attachments become files, or the document says that they were left out', async () => {
    const big = Buffer.alloc(600_000, 'attached ').toString('base64').replace(/.{76}/g, '$&\r\n');
    const mail = `Subject: Plans\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; name="../big.txt"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${big}\r\n--b\r\nContent-Type: text/plain; name="small.txt"\r\nContent-Disposition: attachment\r\n\r\nsmall\r\n--b--`;
    await withFile(mail, async (path) => {
      const folder = join(dirname(path), 'attachments');
      const { attachments, unreadable } = await sandbox.parse({
        path,
        format: 'eml',

        attachmentsTo: folder,
      });
      expect(unreadable).toEqual([]);
      expect(attachments.map(({ name, size }) => [name, size])).toEqual([
        ['../big.txt', 600_000],
        ['small.txt', 6],
      ]);
      expect(readdirSync(folder).sort()).toEqual(['0', '1']);
      expect(readFileSync(attachments[0]?.path ?? '', 'utf8')).toBe(Buffer.alloc(600_000, 'attached ').toString());
      const without = await sandbox.parse({ path, format: 'eml' });
      expect(without.attachments).toEqual([]);
      expect(without.unreadable).toEqual([{ why: 'Its attachments were not read: ../big.txt, small.txt.' }]);
    });
  });

  test('a scanned page is read in it', { timeout: 90_000 }, async () => {
    const scan = await makeScan([[['Parking permits cost 40 euros a year.', 16]]]);
    const { blocks, pages } = await parse(scan, 'pdf');
    expect(pages).toBe(1);
    expect(blocks.map(({ text }) => text)).toEqual(['Parking permits cost 40 euros a year.']);
    await expect(parse(scan, 'pdf', { ocrLanguages: [] })).rejects.toMatchObject({ code: 'no-text' });
  });

  test('a zip bomb ends in a reason', { timeout: 120_000 }, async () => {
    const zeros = new Uint8Array(20_000_000);
    const bomb = makeZip([{ name: 'word/document.xml', content: zeros }]);
    const liar = makeZip([{ name: 'word/document.xml', content: zeros, declaredSize: 100 }]);
    const crowd = makeZip(Array.from({ length: 300 }, (_, index) => ({ name: `word/${index}`, content: '' })));
    const options = { unpackedBytes: 5_000_000, entries: 200 };
    await expect(parse(bomb, 'docx', options)).rejects.toMatchObject({ code: 'too-large-unpacked' });
    await expect(parse(bomb, 'xlsx', options)).rejects.toMatchObject({ code: 'too-large-unpacked' });
    await expect(parse(liar, 'docx', options)).rejects.toMatchObject({ code: 'damaged' });
    await expect(parse(crowd, 'docx', options)).rejects.toMatchObject({ code: 'too-large-unpacked' });
  });

  test('a PDF that ends too early, or has too many pages, ends in a reason', async () => {
    const pdf = await makePdf([['one'], ['two'], ['three']]);
    await expect(parse('%PDF-1.7\n1 0 obj <<', 'pdf')).rejects.toMatchObject({ code: 'damaged' });
    await expect(parse(pdf, 'pdf', { pages: 2 })).rejects.toMatchObject({ code: 'too-many-pages' });
  });

  test('it goes on when a cleaner takes its temporary files, and clears what a killed process left', async () => {
    const left = join(tmpdir(), 'footnote-parse-999999999-left');
    mkdirSync(left);
    writeFileSync(join(left, 'input.pdf'), 'private');
    utimesSync(left, 0, 0);
    const own = await createSandbox({ log: silent });
    expect(existsSync(left)).toBe(false);
    for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(`footnote-parse-${process.pid}-`)))
      rmSync(join(tmpdir(), name), { recursive: true });
    const parsed = await withFile('# Still here', (path) => own.parse({ path, format: 'markdown' }));
    expect(parsed.blocks).toEqual([{ kind: 'heading', level: 1, text: 'Still here' }]);
    await own.close();
  });

  test('its own folder is all it leaves, and closing removes it', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`footnote-parse-${process.pid}-`));
    const before = new Set(folders());
    const own = await createSandbox({ log: silent });
    expect(folders().filter((name) => !before.has(name))).toHaveLength(1);
    await own.close();
    expect(folders().filter((name) => !before.has(name))).toHaveLength(0);
  });
});
