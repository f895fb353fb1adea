import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { engineFlags, engineSettings } from '../scripts/engine.mjs';
import { freePort } from '../scripts/free-port.ts';

const run = promisify(execFile);

/** Every start would compile the same code again, for a third of its processor time. */
const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), 'footnote-compiled') };

/** The product as a person starts it: a process of its own, on an empty folder, on a free port. */
export interface RunningApp {
  url: string;
  readonly pid: number;
  /** Where everything of it lives, for commands beside it. */
  readonly dataDir: string;
  /** Kills it as a crash would, and starts it again on what it has left. */
  killAndStart(): Promise<void>;
  /** The same, asked to stop in order. */
  stopAndStart(): Promise<void>;
  /** Runs a command of the operator's beside it: `npm run company -- …`. */
  company(...args: string[]): Promise<void>;
  /** Kills it; `killAndStart` starts it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startApp(settings: Record<string, string> = {}): Promise<RunningApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-e2e-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const start = async () => {
    const child = spawn(process.execPath, [...engineFlags, 'server/main.ts'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        ...engineSettings,
        ...compiled,
        PORT: String(port),
        DATA_DIR: dataDir,
        BILLING: 'off',
        SIGNUP: 'open',
        LOG_LEVEL: 'warn',
        // One address signs up many companies here.
        SIGNUPS_PER_HOUR: '1000',
        SIGN_INS_PER_ADDRESS: '1000',
        ...settings,
      },
    });
    // Where people reach it may be another address, of a proxy.
    await whenItSays(child, `:${port}`);
    return child;
  };
  const end = async (child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  // The start under way counts, too: a test that fails meanwhile must leave no process behind.
  let running = start();
  let { pid = 0 } = await running;
  return {
    url,
    dataDir,
    get pid() {
      return pid;
    },
    async company(...args) {
      const env = { PATH: process.env.PATH ?? '', ...compiled, DATA_DIR: dataDir, ...settings };
      await run(process.execPath, ['scripts/company.ts', ...args], { env });
    },
    async kill() {
      await end(await running, 'SIGKILL');
    },
    async killAndStart() {
      const before = await running;
      running = end(before, 'SIGKILL').then(start);
      ({ pid = 0 } = await running);
    },
    async stopAndStart() {
      const before = await running;
      running = end(before, 'SIGTERM').then(start);
      ({ pid = 0 } = await running);
    },
    async stop() {
      await end(await running, 'SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function whenItSays(child: ChildProcess, words: string): Promise<void> {
  const said: string[] = [];
  const gone = once(child, 'exit').then(() => {
    throw new Error(`the app ended before it served:\n${said.join('\n')}`);
  });
  child.stderr?.on('data', (data) => said.push(String(data)));
  const ready = (async () => {
    if (!child.stdout) throw new Error('the app has no output');
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      if (line.includes(words)) return;
    }
  })();
  await Promise.race([ready, gone]);
  gone.catch(() => {});
  child.stdout?.resume();
}
