import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTurns } from '#server/lib/turns.ts';
import type { Format } from '../document.ts';
import type { RecognisedPage } from '../parsers/parser.ts';
import { ParseFailure } from '../reasons.ts';
import { traceIn } from './child-end.ts';
import { openCodeCache } from './code-cache.ts';
import { collector, type ParsedDocument } from './collector.ts';
import { type Course, onwards, progressOfTurn } from './course.ts';
import { makeSandboxFolder, ocrFolder } from './folders.ts';
import { findIsolation, type Kind } from './isolation.ts';
import { findOcrLanguages, unpackOcrData } from './ocr-data.ts';
import { startWorker } from './start-worker.ts';
import { TurnOver, type Worker, type WorkerLimits } from './worker.ts';

export interface ParseRequest {
  /** The file to read; it is copied first, and never written to. */
  path: string;
  format: Format;
  signal?: AbortSignal;
  /**
   * Takes the minutes that pictures and heavy pages need, in turns with others that do. Without it, it takes a turn of
   * them that is free, and then gives way.
   */
  mayTakeLong?: boolean;
  /** A folder that attachments are written to. Without it they are left out, and the document says so. */
  attachmentsTo?: string;
  /** Pages that were recognised before, by a process that is gone: not looked at again. */
  known?: readonly RecognisedPage[];
  /** Told of each page that is recognised, to be written down. */
  onRecognised?(page: RecognisedPage): void;
  /** Units (pages, sheets) that are read, of how many; never fewer than before. */
  onProgress?(done: number, total: number): void;
}

/** Reads files that may be hostile, each in a process of its own that can do nothing else. */
export interface Sandbox {
  /**
   * @throws ParseFailure when the file can't be read and never will be; TakesLong when it may not take long, and would;
   * the signal's reason when it is aborted; any other error is of the machine, and may pass.
   */
  parse(request: ParseRequest): Promise<ParsedDocument>;
  /** What holds the processes, for `/readyz`. */
  readonly isolation: string;
  /** What one that was taken over could still do, and what is missing here; null where that is nothing. */
  readonly weakness: string | null;
  /** Ends all processes; what is being parsed fails. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  log: { warn(details: object, message: string): void };
  /** Documents that are parsed at once, beside one that takes long; more wait. */
  concurrency?: number;
  /** Time for one document, of its own (`EffortClock`): what the machine gives to others meanwhile does not count. */
  readMs?: number;
  /** For one that takes long: in all, and without a page or a word that is new. */
  longMs?: number;
  silentMs?: number;
  /** Resident memory of a process; of one that reads a workbook. */
  memoryMb?: number;
  workbookMemoryMb?: number;
  /** What a process may say, in bytes of JSON. */
  outputBytes?: number;
  /** Of a zip container, inflated. */
  unpackedBytes?: number;
  entries?: number;
  pages?: number;
  /** Of a workbook. */
  rows?: number;
  /** Of a file that is text; of a mail with its attachments. */
  textBytes?: number;
  mailBytes?: number;
  /** Languages in which text in pictures is recognised, as Tesseract names them; none: pictures are not read. */
  ocrLanguages?: readonly string[];
  /** Processor time to recognise the text of one page; of a whole document. */
  ocrPageMs?: number;
  ocrMs?: number;
  /** Processor time of recognition after which a document lets another one go on, where one waits. */
  turnMs?: number;
  /** The program that a process runs. */
  program?: string;
}

/** The formats whose reader is native code. */
const native: ReadonlySet<Format> = new Set(['pdf', 'png', 'jpeg', 'tiff', 'webp']);
/** Those that are held in memory as a whole, and may need much of it. */
const workbooks: ReadonlySet<Format> = new Set(['xlsx', 'ods', 'csv']);
/** Documents that take minutes, beside the others. */
const longAtOnce = 1;
/** Base64, and the JSON around it. */
const attachmentOverhead = 1.4;

const childProgram = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Starts a process of each kind, and finds out by the first how it can be held. */
export async function createSandbox({
  log,
  concurrency = 2,
  readMs = 60_000,
  longMs = 15 * 60_000,
  silentMs = 2 * 60_000,
  memoryMb = 600,
  workbookMemoryMb = 1200,
  outputBytes = 64 * 1024 * 1024,
  unpackedBytes = 200 * 1024 * 1024,
  entries = 10_000,
  pages = 5000,
  rows = 100_000,
  textBytes = 48 * 1024 * 1024,
  mailBytes = 100 * 1024 * 1024,
  ocrLanguages = ['eng', 'deu', 'fra', 'spa'],
  ocrPageMs = 60_000,
  ocrMs = 5 * 60_000,
  turnMs = 10_000,
  program = childProgram,
}: SandboxOptions): Promise<Sandbox> {
  const languages = findOcrLanguages(ocrLanguages);
  const folder = makeSandboxFolder();
  const dataPath = ocrFolder(folder);
  const ocr =
    languages.length > 0 ? { languages: [...ocrLanguages], dataPath, pageMs: ocrPageMs, totalMs: ocrMs } : undefined;
  const limits = { unpackedBytes, entries, pages, rows, textBytes, mailBytes, ocr };
  const codeCache = program === childProgram ? openCodeCache() : undefined;
  let started = 0;
  const nextFolder = () => join(folder, String(started++));
  const { isolation, first } = await findIsolation(
    {
      program,
      memoryMb: { pdf: memoryMb, office: Math.max(memoryMb, workbookMemoryMb) },
      // The net below our own look at it, for a child whose parent is gone.
      cpuSeconds: Math.ceil(Math.max(longMs, readMs) / 1000) + 60,
      folder,
      readable: [dataPath],
      ...(codeCache && { codeCache }),
    },
    (held) => startWorker(held, 'pdf', nextFolder()),
  ).catch(async (error: unknown) => {
    await codeCache?.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const start = (kind: Kind) => startWorker(isolation, kind, nextFolder());
  if (isolation.weakness !== undefined) {
    const { description, weakness } = isolation;
    log.warn({ isolation: description, weakness }, 'Parsers are not held as well as they could be on this machine.');
  }

  const warm = new Map<Kind, Promise<Worker>>([['pdf', Promise.resolve(first)]]);
  const running = new Set<Worker>();
  const turns = createTurns(concurrency);
  const longTurns = createTurns(longAtOnce);
  const recognitionTurns = createTurns(longAtOnce);
  let closed = false;

  /** A child that is ready, or nearly; the next one is started at once. */
  async function take(kind: Kind): Promise<Worker> {
    const first = warm.get(kind);
    // Before anything is awaited: two documents that come at once must not get the same child.
    warm.delete(kind);
    const ready = await first?.catch(() => null);
    const worker = ready?.isReady ? ready : await start(kind);
    if (ready && ready !== worker) await ready.end();
    if (!closed && !warm.has(kind)) warmUp(kind);
    return worker;
  }

  function warmUp(kind: Kind): void {
    const starting = start(kind);
    // Whoever takes it starts another one instead.
    starting.catch(() => {});
    warm.set(kind, starting);
  }

  /** A document that goes on saying something gets more time, where it holds nobody up. */
  function timeIsOver(mayTakeLong: boolean): WorkerLimits['timeIsOver'] {
    return ({ usedMs, silentMs: silent }) => {
      if (mayTakeLong) return usedMs > longMs || silent > silentMs ? 'too-slow' : undefined;
      if (usedMs <= readMs) return undefined;
      return silent > readMs / 2 ? 'too-slow' : 'takes-long';
    };
  }

  async function parse(request: ParseRequest): Promise<ParsedDocument> {
    const { format, mayTakeLong = false, signal } = request;
    // What can't give its turn on is read beside what can.
    const lane = mayTakeLong ? (native.has(format) ? recognitionTurns : longTurns) : turns;
    const course: Course = { known: [...(request.known ?? [])], usedMs: 0, done: 0 };
    for (;;) {
      let giveBack = await lane.take(signal);
      const moveTo = (turn: (() => void) | null) => {
        if (turn) giveBack();
        giveBack = turn ?? giveBack;
        return turn !== null;
      };
      try {
        return await parseInTurn(request, course, {
          othersWait: () => mayTakeLong && lane.waiting > 0,
          // One that recognises nothing has nothing that it could go on from: it keeps on, but beside those that do.
          stepAside: () => lane === recognitionTurns && lane.waiting > 0 && moveTo(longTurns.takeNow()),
          // Most files with a picture have one or two: to begin them anew would take longer than these.
          recognise: () => native.has(format) && moveTo(recognitionTurns.takeNow()),
        });
      } catch (error) {
        if (!(error instanceof TurnOver)) throw error;
      } finally {
        giveBack();
      }
    }
  }

  /** @throws TurnOver when others wait and it has gone on for a while; what it has recognised is then in the course */
  async function parseInTurn(
    request: ParseRequest,
    course: Course,
    lane: { othersWait: () => boolean; stepAside: () => boolean; recognise: () => boolean },
  ): Promise<ParsedDocument> {
    const { path, format, signal, mayTakeLong = false } = request;
    let worker: Worker | undefined;
    let usedMs = 0;
    let recognisedAtMs = 0;
    /** What it had used when it began with what takes long without being begun anew. */
    let slowFromMs: number | undefined;
    const hasGoneOn = progressOfTurn(course, turnMs);
    try {
      if (closed) throw new Error('The sandbox is closed.');
      if (native.has(format)) await unpackOcrData(dataPath, languages);
      worker = await take(native.has(format) ? 'pdf' : 'office');
      running.add(worker);
      if (closed) throw new Error('The sandbox is closed.');
      const document: ParsedDocument = { blocks: [], unreadable: [], attachments: [] };
      const collect = collector(document, { ...request, onProgress: onwards(request, course) });
      await worker.run(
        { path, format, mayTakeLong, limits: { ...limits, ocr: limits.ocr && { ...limits.ocr, known: course.known } } },
        {
          timeIsOver: (effort) => {
            usedMs = effort.usedMs;
            if (slowFromMs !== undefined) return usedMs - slowFromMs > turnMs ? 'takes-long' : undefined;
            if (usedMs - recognisedAtMs > turnMs) lane.stepAside();
            return timeIsOver(mayTakeLong)({ ...effort, usedMs: course.usedMs + usedMs });
          },
          memoryMb: workbooks.has(format) ? workbookMemoryMb : memoryMb,
          outputBytes: outputBytes + (format === 'eml' ? mailBytes * attachmentOverhead : 0),
        },
        {
          signal,
          onSlow() {
            if (slowFromMs === undefined && lane.recognise()) slowFromMs = usedMs;
            return slowFromMs !== undefined;
          },
          onMessage: (message) => {
            if (message.type !== 'recognised') return collect(message);
            recognisedAtMs = usedMs;
            course.known.push(message.page);
            request.onRecognised?.(message.page);
            return hasGoneOn(message.page) && lane.othersWait() ? 'turn-over' : undefined;
          },
        },
      );
      return document;
    } catch (error) {
      if (error instanceof ParseFailure)
        log.warn({ format, code: error.code, trace: traceIn(worker?.errors ?? '') }, 'A file could not be read.');
      throw error;
    } finally {
      course.usedMs += usedMs;
      await worker?.end();
      if (worker) running.delete(worker);
    }
  }

  warmUp('office');

  return {
    parse,
    weakness: isolation.weakness ?? null,
    isolation: [isolation.description, ...(isolation.weakness ? [isolation.weakness] : [])].join(' – '),
    async close() {
      closed = true;
      const workers = await Promise.allSettled(warm.values());
      warm.clear();
      await Promise.all([
        ...running.values().map((worker) => worker.end()),
        ...workers.map((each) => (each.status === 'fulfilled' ? each.value.end() : undefined)),
      ]);
      await codeCache?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
