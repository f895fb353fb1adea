import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Block, Format } from '../document.ts';
import type { Unreadable } from '../parsers/parser.ts';
import { ParseFailure } from '../reasons.ts';
import { makeSandboxFolder, makeWorkerFolder } from './folders.ts';
import { type Kind, probeIsolation } from './isolation.ts';
import { Worker } from './worker.ts';

/** What a file says, in reading order. */
export interface ParsedDocument {
  blocks: Block[];
  /** How many pages it has, where the format has pages. */
  pages?: number;
  /** Places that could not be read; not empty means that the document is partly readable. */
  unreadable: Unreadable[];
}

export interface ParseRequest {
  /** The file to read; it is copied first, and never written to. */
  path: string;
  format: Format;
  /** The name that its owner gave it, for the log only. */
  name: string;
  signal?: AbortSignal;
  /** Units (pages, sheets) that are read, of how many. */
  onProgress?(done: number, total: number): void;
}

/** Reads files that may be hostile, each in a process of its own that can do nothing else. */
export interface Sandbox {
  /**
   * @throws ParseFailure when the file can't be read and never will be; the signal's reason when it is aborted; any
   * other error is of the machine, and may pass.
   */
  parse(request: ParseRequest): Promise<ParsedDocument>;
  /** What holds the processes, for `/readyz`. */
  readonly isolation: string;
  /** Ends all processes; what is being parsed fails. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  log: { warn(details: object, message: string): void };
  /** Documents that are parsed at once; more wait. */
  concurrency?: number;
  /** Time for one document. */
  wallMs?: number;
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
  /** The program that a process runs. */
  program?: string;
}

const childProgram = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Finds out how a process can be held, which takes a moment, and starts one of each kind. */
export function createSandbox({
  log,
  concurrency = 2,
  wallMs = 60_000,
  memoryMb = 600,
  workbookMemoryMb = 1200,
  outputBytes = 64 * 1024 * 1024,
  unpackedBytes = 200 * 1024 * 1024,
  entries = 10_000,
  pages = 5000,
  rows = 100_000,
  program = childProgram,
}: SandboxOptions): Sandbox {
  const limits = { unpackedBytes, entries, pages, rows };
  const folder = makeSandboxFolder();
  const isolation = probeIsolation({
    program,
    memoryMb: Math.max(memoryMb, workbookMemoryMb),
    cpuSeconds: Math.ceil((wallMs / 1000) * 4),
  });
  if (!isolation.complete)
    log.warn({ isolation: isolation.description }, 'Parsers are not cut off from the network on this machine.');

  const warm = new Map<Kind, Promise<Worker>>();
  const running = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let started = 0;
  let closed = false;

  async function start(kind: Kind): Promise<Worker> {
    return new Worker(isolation, kind, await makeWorkerFolder(join(folder, String(started++))));
  }

  /** A child that is ready, or nearly; the next one is started at once. */
  async function take(kind: Kind): Promise<Worker> {
    const first = warm.get(kind);
    // Before anything is awaited: two documents that come at once must not get the same child.
    warm.delete(kind);
    const ready = await first?.catch(() => null);
    const worker = ready?.alive ? ready : await start(kind);
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

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    if (busy < concurrency) {
      busy++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(signal?.reason);
    };
    waiting.push(resolve);
    signal?.addEventListener('abort', onAbort);
    await promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Hands the turn on, or back. */
  function pass(): void {
    const next = waiting.shift();
    if (next) next();
    else busy--;
  }

  async function parse({ path, format, name, signal, onProgress }: ParseRequest): Promise<ParsedDocument> {
    signal?.throwIfAborted();
    await turn(signal);
    let worker: Worker | undefined;
    try {
      if (closed) throw new Error('The sandbox is closed.');
      worker = await take(format === 'pdf' ? 'pdf' : 'office');
      running.add(worker);
      if (closed) throw new Error('The sandbox is closed.');
      const document: ParsedDocument = { blocks: [], unreadable: [] };
      await worker.run(
        { path, format, limits },
        { wallMs, memoryMb: format === 'xlsx' ? workbookMemoryMb : memoryMb, outputBytes },
        {
          signal,
          onMessage(message) {
            if (message.type === 'block') document.blocks.push(message.block);
            else if (message.type === 'progress') onProgress?.(message.done, message.total);
            else if (message.type === 'unreadable')
              document.unreadable.push({ why: message.why, ...(message.page !== undefined && { page: message.page }) });
            else if (message.type === 'done' && message.pages !== undefined) document.pages = message.pages;
          },
        },
      );
      return document;
    } catch (error) {
      if (error instanceof ParseFailure)
        log.warn({ name, format, code: error.code, errors: worker?.errors.slice(-500) }, 'A file could not be read.');
      throw error;
    } finally {
      await worker?.end();
      if (worker) running.delete(worker);
      pass();
    }
  }

  warmUp('pdf');
  warmUp('office');

  return {
    parse,
    isolation: isolation.description,
    async close() {
      closed = true;
      const workers = await Promise.allSettled(warm.values());
      warm.clear();
      await Promise.all([
        ...running.values().map((worker) => worker.end()),
        ...workers.map((each) => (each.status === 'fulfilled' ? each.value.end() : undefined)),
      ]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
