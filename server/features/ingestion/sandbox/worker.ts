import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, constants, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createPause } from '#server/lib/pause.ts';
import { ParseFailure, type ReasonCode } from '../reasons.ts';
import { causeOf, endOf, residentMb } from './child-end.ts';
import { scratchFolder } from './confinement.ts';
import { type Effort, EffortClock } from './effort.ts';
import { type Isolation, type Kind, starterOf } from './isolation.ts';
import { lastDescendant } from './process-tree.ts';
import { type Message, type Request, readMessage } from './protocol.ts';
import type { ParserUser } from './users.ts';

export interface WorkerLimits {
  /** Looks at what the child has done, a few times a second; a reason ends it, `takes-long` without fault. */
  timeIsOver(effort: Effort): ReasonCode | 'takes-long' | undefined;
  /** Resident memory of the whole process, native code included. */
  memoryMb: number;
  outputBytes: number;
}

/** Its turn is over while others wait: it goes on later where it was. */
export class TurnOver extends Error {}

/** The child asks for more time than the document has now. */
export class TakesLong extends Error {}

const memoryCheckMs = 50;
const timeCheckMs = 500;
/** On a machine that is busy with many others even a start takes long. */
const startMs = 120_000;
/** Longer than any message can be: a line that never ends would be searched for its end again and again. */
const maxLine = 1024 * 1024;

/** One child process for one document. It is started before the document comes, and never outlives it. */
export class Worker {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly folder: string;
  readonly #user: ParserUser | undefined;
  readonly #ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #killedFor: ReasonCode | 'takes-long' | 'turn-over' | null = null;
  #errors = '';
  #listener: (message: Message) => void = () => {};
  #outputBytes = 0;
  #maxOutput = Number.POSITIVE_INFINITY;
  #isReady = Promise.withResolvers<void>();
  #alive = true;
  #isStopped = false;
  #isUsed = false;

  /**
   * @param folder an existing folder that the child may read, for its input; removed with the worker
   * @param user as whom the child runs; given back with its end
   */
  constructor(isolation: Isolation, kind: Kind, folder: string, user?: ParserUser) {
    this.folder = folder;
    this.#user = user;
    const { file, args, uid, env } = isolation.command(kind, folder, user?.uid);
    this.#child = spawn(file, args, {
      cwd: '/',
      env: { TMPDIR: scratchFolder(folder), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    const closed = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
      this.#child.on('error', (error) => {
        this.#errors += error.message;
        resolve({ code: null, signal: null });
      });
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
    // What it said last may still be read when it is gone.
    this.#ended = Promise.all([closed, this.#read()]).then(([end]) => end);
    this.#ended.then(() => {
      this.#alive = false;
      this.#isReady.reject(new Error(`A parser process did not start: ${this.#errors}`));
    });
    // Nobody may be waiting for a child that dies before its document comes.
    this.#isReady.promise.catch(() => {});
  }

  /** The parser's own, behind what started it. */
  get pid(): number | undefined {
    return this.#child.pid && lastDescendant(this.#child.pid);
  }

  /**
   * Whether it can be given a document: a cleaner of temporary files may have taken its folder, and it sees no other.
   */
  get isReady(): boolean {
    return this.#alive && existsSync(this.folder);
  }

  /**
   * Resolves when it can be given a document.
   * @throws Error with what it has said, where it ends or is silent so long
   */
  async becomesReady(timeoutMs: number): Promise<void> {
    const silent = setTimeout(() => this.#kill(), timeoutMs);
    await this.#isReady.promise.finally(() => clearTimeout(silent));
  }

  /**
   * Parses one file. Whatever the child does, this ends when its time is over, and the child with it.
   * @param onSlow asked when the child would go on with what takes long: whether it may; absent: it may not
   * @throws ParseFailure; TakesLong; the signal's reason when it is aborted; Error when the child did not start
   */
  async run(
    request: Request,
    limits: WorkerLimits,
    {
      signal,
      onMessage,
      onSlow = () => false,
    }: { signal?: AbortSignal | undefined; onMessage: (message: Message) => unknown; onSlow?: () => boolean },
  ): Promise<void> {
    signal?.throwIfAborted();
    if (this.#isUsed) throw new Error('A parser process takes one document only.');
    this.#isUsed = true;
    let outcome: Message | undefined;
    let clock: EffortClock | undefined;
    this.#listener = (message) => {
      if (outcome) return;
      if (message.type === 'done' || message.type === 'failed') outcome = message;
      clock?.hear();
      if (message.type === 'slow') {
        if (!onSlow()) this.#kill('takes-long');
        else this.#child.stdin.write('\n');
      } else if (onMessage(message) === 'turn-over') this.#kill('turn-over');
    };
    this.#maxOutput = limits.outputBytes;
    const onAbort = () => this.#kill();
    signal?.addEventListener('abort', onAbort);
    const checks: NodeJS.Timeout[] = [];
    try {
      await this.becomesReady(startMs).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
      const input = await this.#bringIn(request);
      const { pid } = this;
      clock = new EffortClock(pid, timeCheckMs);
      const look = () => {
        const over = clock && limits.timeIsOver(clock.look());
        if (over) this.#kill(over);
      };
      const weigh = () => {
        if (residentMb(pid) > limits.memoryMb) this.#kill('too-much-memory');
      };
      checks.push(setInterval(look, timeCheckMs), setInterval(weigh, memoryCheckMs));
      this.#child.stdin.write(`${JSON.stringify({ ...request, path: input })}\n`);
      const { signal: died } = endOf(await this.#ended);
      signal?.throwIfAborted();
      if (this.#isStopped) throw new Error('The parser process was stopped.');
      if (outcome?.type === 'done') return;
      if (outcome?.type === 'failed') {
        this.#errors += outcome.detail ?? '';
        throw ParseFailure.of(outcome.code);
      }
      if (this.#killedFor === 'turn-over') throw new TurnOver();
      if (this.#killedFor === 'takes-long') throw new TakesLong();
      throw ParseFailure.of(this.#killedFor ?? causeOf({ died, errors: this.#errors }));
    } finally {
      for (const check of checks) clearInterval(check);
      signal?.removeEventListener('abort', onAbort);
      await this.end();
    }
  }

  /** What the child wrote to its standard error, and why it failed, for the log. */
  get errors(): string {
    return this.#errors;
  }

  /** Ends the child, whatever it is doing, and removes its folder. */
  async end(): Promise<void> {
    this.#isStopped = true;
    this.#kill();
    await this.#ended;
    await rm(this.folder, { recursive: true, force: true });
    await rm(starterOf(this.folder), { force: true });
    this.#user?.release();
  }

  /** Reads what the child says until it says no more, and lets others have their turn: it may say a million things. */
  async #read(): Promise<void> {
    this.#child.stderr.setEncoding('utf8');
    this.#child.stderr.on('data', (piece: string) => {
      this.#errors = (this.#errors + piece).slice(-8000);
    });
    // A child that is killed breaks its pipes; its end is reported once, by `close`.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.on('error', () => {});
    const pause = createPause();
    let line = '';
    this.#child.stdout.setEncoding('utf8');
    try {
      for await (const piece of this.#child.stdout as AsyncIterable<string>) {
        this.#outputBytes += Buffer.byteLength(piece);
        if (this.#outputBytes > this.#maxOutput) return this.#kill('too-much-text');
        const lines = (line + piece).split('\n');
        line = lines.pop() ?? '';
        if (line.length > maxLine) return this.#kill('too-much-text');
        for (const each of lines) {
          const message = readMessage(each);
          if (message?.type === 'ready') this.#isReady.resolve();
          else if (message) this.#listener(message);
          await pause();
        }
      }
    } catch {
      // The same broken pipe.
    }
  }

  /**
   * Puts a copy of the input where the child may read it. Never a link: whatever then writes to the copy, or changes
   * its mode, would do so to the document itself.
   */
  async #bringIn({ path, format }: Request): Promise<string> {
    // A parser may go by the extension: the format is what was found, not what the name says.
    const input = join(this.folder, `input.${format}`);
    await copyFile(path, input, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(input, 0o600);
    if (this.#user) await chown(input, this.#user.uid, this.#user.uid);
    return input;
  }

  #kill(reason?: ReasonCode | 'takes-long' | 'turn-over'): void {
    if (!this.#alive) return;
    this.#killedFor ??= reason ?? null;
    this.#child.kill('SIGKILL');
  }
}
