/** A child for the tests of the sandbox: it tries what its input names, and says what came of it. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const attempts: Record<string, (argument: string, request: { mayTakeLong: boolean }) => unknown> = {
  fetch: async (url) => (await fetch(url)).status,
  read: (path) => readFileSync(path, 'utf8'),
  write: (path) => writeFileSync(path, 'x'),
  spawn: (program) => spawnSync(program).error ?? 'spawned',
  thread: () => new Worker('', { eval: true }),
  signal: () => process.kill(process.ppid, 0),
  environment: () => JSON.stringify(process.env),
  spin() {
    for (;;);
  },
  memory() {
    const held: Buffer[] = [];
    for (;;) held.push(Buffer.alloc(8 * 1024 * 1024, 1));
  },
  heap() {
    const held: object[] = [];
    for (;;) held.push({ held: held.length });
  },
  stand: () => new Promise(() => {}),
  /** Works without end, and says so. */
  work() {
    for (let done = 1; ; done++) {
      for (const until = performance.now() + 20; performance.now() < until; );
      say({ type: 'progress', done, total: done });
    }
  },
  /** Does little for some seconds, and says so. */
  async talk(seconds) {
    for (let done = 1; done <= Number(seconds) * 10; done++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      say({ type: 'progress', done, total: done });
    }
  },
  /** Asks for time as a child does that comes upon a picture, and then works or not. */
  async ask(then) {
    say({ type: 'slow' });
    await once(process.stdin, 'data');
    if (then === 'work') attempts.work?.('', { mayTakeLong: true });
    return 'goes on';
  },
  async slow(_, { mayTakeLong }) {
    if (mayTakeLong) return;
    for (let time = 0; time < 100; time++) say({ type: 'slow' });
    for (;;);
  },
  flood() {
    for (;;) say({ type: 'block', block: { kind: 'paragraph', text: 'x'.repeat(10_000) } });
  },
  lie() {
    say({ type: 'block', block: { kind: 'paragraph', text: '\ud800', secret: 1 } });
    say({ type: 'block' });
    writeSync(1, 'noise {"type":"done"}\n{"type":"unknown"}\n');
  },
  exit: () => process.exit(3),
};

process.stdin.on('end', () => process.exit(0));
process.stdin.once('data', async (line) => {
  const request = JSON.parse(String(line));
  const [name = '', argument = ''] = readFileSync(request.path, 'utf8').split(' ');
  const outcome = await attempt(name, argument, request).then(
    (value) => `did it: ${value}`,
    (error) => `refused: ${error.code ?? error.cause?.code ?? error}`,
  );
  say({ type: 'block', block: { kind: 'paragraph', text: outcome } });
  say({ type: 'done' });
  process.exit(0);
});
say({ type: 'ready' });

async function attempt(name: string, argument: string, request: { mayTakeLong: boolean }): Promise<unknown> {
  return attempts[name]?.(argument, request);
}

function say(message: object): void {
  let rest = Buffer.from(`\n${JSON.stringify(message)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}
