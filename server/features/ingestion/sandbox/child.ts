/**
 * The program of a sandboxed child: says that it is ready, reads one request, parses one file, and ends. It runs with
 * nothing but the right to read its input and its own code.
 * Its arguments are its kind (one for PDF loads the native reader before the request comes) and its folder.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cleanBlock, cleanText } from '../parsers/clean.ts';
import type { RecognisedPage, Sink } from '../parsers/parser.ts';
import { parsers } from '../parsers/parsers.ts';
import { ParseFailure } from '../reasons.ts';
import type { Message, Request } from './protocol.ts';

// Libraries that report to the console would write between the messages.
for (const method of ['log', 'info', 'debug', 'table', 'dir'] as const) console[method] = console.error;

// The native reader is worth loading early; the others are loaded by whoever needs one of them.
const [, , kind, folder] = process.argv;
if (kind === 'pdf') await parsers.pdf();
/** A line of JSON stays well below what the parent takes for one. */
const attachmentPiece = 256 * 1024;

const maxPageLength = 512 * 1024;
/** Blocks are said together, up to as many characters: each by itself would wake the parent once. */
const maxHeld = 32 * 1024;
/** And not longer than this: a silent child is taken for one that stands still. */
const maxHeldMs = 100;
let held = '';
let toldAt = performance.now();

const pause = new Int32Array(new SharedArrayBuffer(4));

const lines = createInterface({ input: process.stdin });
/** Any line after the request: it may take long. */
const mayGoOn = Promise.withResolvers<void>();
lines.once('line', (line) => {
  lines.once('line', () => mayGoOn.resolve());
  const request: Request = JSON.parse(line);
  answer(request).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
// The parent is gone.
lines.on('close', () => process.exit(0));
say({ type: 'ready' });
// What `ps` shows in place of a line full of permissions. One that is seen by it has said that it is ready.
process.title = `footnote-parser ${kind} ${folder}`;

async function answer({ path, format, mayTakeLong, limits }: Request): Promise<void> {
  let pages: number | undefined;
  let blocks = 0;
  let attachments = 0;
  const sink: Sink = {
    block(found) {
      for (const block of cleanBlock(found)) {
        blocks++;
        hold({ type: 'block', block });
      }
    },
    unreadable: (place) => say({ type: 'unreadable', ...place }),
    attachment(name, bytes) {
      const index = attachments++;
      for (let at = 0; at === 0 || at < bytes.length; at += attachmentPiece) {
        const base64 = Buffer.from(bytes.subarray(at, at + attachmentPiece)).toString('base64');
        say({ type: 'attachment', index, base64, ...(at === 0 && { name: cleanText(name).slice(0, 255) }) });
      }
    },
    async slow() {
      if (mayTakeLong) return;
      say({ type: 'slow' });
      // Where it may not, the parent ends it.
      await mayGoOn.promise;
    },
    progress: (done, total) => say({ type: 'progress', done, total }),
    pages(count) {
      pages = count;
    },
  };
  try {
    const parse = await parsers[format]();
    const ocr = limits.ocr && { ...limits.ocr, onPage: tellPage };
    await parse({ path, limits: { ...limits, ocr } }, sink);
    if (blocks + attachments === 0) throw ParseFailure.of('nothing-inside');
    say({ type: 'done', ...(pages !== undefined && { pages }) });
  } catch (error) {
    const code = error instanceof ParseFailure ? error.code : 'damaged';
    say({ type: 'failed', code, detail: String(error).toWellFormed().replaceAll('\0', '').slice(0, 500) });
  }
}

/** One that would be too long for a line is recognised again where the document has to go on later. */
function tellPage(page: RecognisedPage): void {
  if (JSON.stringify(page).length < maxPageLength) say({ type: 'recognised', page });
}

/** To be said with what comes next. */
function hold(message: Message): void {
  held += `${JSON.stringify(message)}\n`;
  if (held.length > maxHeld || performance.now() - toldAt > maxHeldMs) tell();
}

function say(message: Message): void {
  hold(message);
  tell();
}

/** Synchronous, so that a slow reader slows the parser down instead of filling its memory. */
function tell(): void {
  // The line feed before ends what native code may have left on the line.
  let rest = Buffer.from(`\n${held}`);
  held = '';
  toldAt = performance.now();
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // A library that looks at standard output makes it non-blocking; without waiting, the document would end here.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
