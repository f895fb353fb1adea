import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parserUids, postgresUid } from '#server/lib/system-users.ts';
import { openCodeCache } from './code-cache.ts';
import { makeSandboxFolder } from './folders.ts';
import { findIsolation, type Isolation, type Way, ways } from './isolation.ts';
import { startWorker } from './start-worker.ts';
import { buildStarter } from './starter.ts';
import type { Worker } from './worker.ts';

const program = fileURLToPath(new URL('./escaping-child.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const base = mkdtempSync(join(tmpdir(), 'footnote-escapes-'));
/** What another process of this machine has open to everybody. */
const anybodys = join(base, 'anybodys.txt');
const socketPath = join(base, 'socket');
const abstractName = `footnote-escapes-${process.pid}`;
/** For what has to compute for a second first. */
const patience = { timeout: 80_000 };
const servers: Server[] = [];
// As the service itself does: what is for other users has to be made so that they can read it.
const umaskBefore = process.umask(0o077);
const codeCache = openCodeCache();
let port = 0;

beforeAll(async () => {
  chmodSync(base, 0o755);
  writeFileSync(anybodys, 'the input of another parser', { mode: 0o644 });
  for (const address of [socketPath, `\0${abstractName}`, 0]) {
    const server = createServer((connection) => connection.destroy());
    server.listen(typeof address === 'number' ? { port: 0, host: '127.0.0.1' } : { path: address });
    await once(server, 'listening');
    servers.push(server);
    const listening = server.address();
    if (typeof listening === 'object' && listening) port = listening.port;
  }
  chmodSync(socketPath, 0o777);
});
afterAll(async () => {
  await codeCache.close();
  for (const server of servers) server.close();
  rmSync(base, { recursive: true });
  process.umask(umaskBefore);
});

interface Held {
  isolation: Isolation;
  /** What came of each attempt, by attempt; several at once, each in a child of its own. */
  outcomes(...attempts: string[]): Promise<Record<string, string>>;
  folder: string;
  start(): Promise<Worker>;
  close(): void;
}

async function hold(way: Way): Promise<Held> {
  const folder = makeSandboxFolder();
  let started = 0;
  const startIn = (held: Isolation) => startWorker(held, 'pdf', join(folder, String(started++)));
  const options = { program, memoryMb: { pdf: 300, office: 300 }, cpuSeconds: 60, folder, readable: [], codeCache };
  const { isolation, first } = await findIsolation(options, startIn, [way]);
  await first.end();
  const start = () => startIn(isolation);
  return {
    isolation,
    folder,
    start,
    async outcomes(...attempts) {
      const worker = await start();
      const input = join(base, `attempts-${started}`);
      writeFileSync(input, attempts.join('\n'));
      const said: string[] = [];
      await worker.run(
        { path: input, format: 'pdf', mayTakeLong: false, limits: noLimits },
        { timeIsOver: () => undefined, memoryMb: 400, outputBytes: 1_000_000 },
        { onMessage: (message) => void (message.type === 'block' && said.push(message.block.text)) },
      );
      return Object.fromEntries(attempts.map((each, index) => [each, said[index] ?? worker.errors]));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const noLimits = { unpackedBytes: 0, entries: 0, pages: 0, rows: 0, textBytes: 0, mailBytes: 0, ocr: undefined };

/** What is tried, with the system's own calls; all of it must be refused. */
function network(): string[] {
  const { host } = inject('postgres');
  return [
    `connect ${join(host, '.s.PGSQL.5432')}`,
    `connect ${socketPath}`,
    `connect @${abstractName}`,
    `dial ${port}`,
    'socket netlink',
    'socket packet',
    'ring',
  ];
}
const others = [
  `signal ${process.pid}`,
  `signal ${process.ppid}`,
  'signal 1',
  'signal -1',
  `trace ${process.pid}`,
  'trace 1',
  'fork',
  'system true',
  'system curl http://127.0.0.1',
];
const rights = ['unshare', 'mount /', `chroot ${tmpdir()}`, ...(isRoot ? ['becomeRoot'] : [])];
const files = [
  `read ${anybodys}`,
  'read /etc/passwd',
  'read /etc/shadow',
  'read /etc/hostname',
  `read ${join(process.cwd(), 'package-lock.json')}`,
  `read ${join(process.cwd(), 'server', 'main.ts')}`,
  `read /proc/${process.pid}/environ`,
  `read /proc/${process.ppid}/environ`,
  'read /proc/1/environ',
  'read /proc/self/environ',
  `read /proc/${process.pid}/cmdline`,
  `list ${inject('postgres').host}`,
  `list ${base}`,
  'list /root',
  // On the way to its own code it sees the folders' names, and nothing beside them.
  ...(process.cwd().startsWith('/home/') ? [] : ['list /home']),
  'list /var',
  'list /proc',
];
const writing = (held: Held) => [
  `write ${join(tmpdir(), 'written-by-a-child')}`,
  `write ${join(base, 'written-by-a-child')}`,
  `write ${join(held.folder, '0', 'written')}`,
  `write ${join(process.cwd(), 'node_modules', 'written')}`,
  'write /written',
  'write /dev/shm/written',
];

/** The attempts that were not refused. */
const done = (outcomes: Record<string, string>) =>
  Object.entries(outcomes).filter(([, outcome]) => !outcome.startsWith('refused: '));

const [namespaces, landlock, filter] = ways;

describe.each([
  ['namespaces', namespaces],
  ['Landlock', landlock],
  ['the filter alone', filter],
])('native code in a parser that is held by %s', (name, way) => {
  let held: Held | undefined;
  let missing = '';
  beforeAll(async () => {
    try {
      held = way && (await hold(way));
    } catch (error) {
      missing = String(error);
    }
  });
  afterAll(() => held?.close());
  const present = (skip: (condition: boolean, reason: string) => void): Held => {
    skip(held === undefined, `this machine does not allow it: ${missing}`);
    if (!held) throw new Error(missing);
    return held;
  };

  test('reaches no network, no socket, and not the database', async ({ skip }) => {
    expect(done(await present(skip).outcomes(...network()))).toEqual([]);
  });

  test('reaches no other process, and starts none', async ({ skip }) => {
    expect(done(await present(skip).outcomes(...others))).toEqual([]);
  });

  test('gets no rights back', async ({ skip }) => {
    expect(done(await present(skip).outcomes(...rights))).toEqual([]);
  });

  test('writes nothing anywhere', async ({ skip }) => {
    skip(name === 'the filter alone', 'the filter knows no files: its user decides, as /readyz says');
    const own = present(skip);
    expect(done(await own.outcomes(...writing(own)))).toEqual([]);
  });

  test('reads nothing but its input and its code', async ({ skip }) => {
    skip(name === 'the filter alone', 'the filter knows no files: its user decides, as /readyz says');
    const own = present(skip);
    const other = await own.start();
    const input = join(other.folder, 'input.pdf');
    writeFileSync(input, 'the input of another parser');
    const attempts = [...files, `read ${input}`, `list ${other.folder}`];
    expect(done(await own.outcomes(...attempts))).toEqual([]);
    await other.end();
  });

  test('gets what was made of its code before only where it can not write it', patience, async ({ skip }) => {
    const own = present(skip);
    await expect.poll(() => codeCache.folderFor(0), { timeout: 60_000 }).toBeDefined();
    const cache = codeCache.folderFor(0) ?? '';
    const [made] = readdirSync(cache);
    const taken = name === 'the filter alone' ? 'did it: none' : expect.stringMatching(`^did it: ${cache}/`);
    expect(await own.outcomes('cache')).toEqual({ cache: taken });
    if (name === 'the filter alone') return;
    const attempts = [`write ${join(cache, 'written')}`, `write ${join(cache, made ?? '', 'written')}`];
    expect(done(await own.outcomes(...attempts))).toEqual([]);
  });

  test('is a user that no other parser is, nor the database, nor anybody else', async ({ skip }) => {
    const own = present(skip);
    skip(!isRoot, 'only root can give its processes other users');
    const seen = await Promise.all([1, 2, 3].map(() => own.outcomes('user')));
    const uids = seen.map(({ user = '' }) => Number(user.replace('did it: ', '')));
    expect(new Set(uids).size).toBe(3);
    for (const uid of uids) {
      expect(uid).toBeGreaterThanOrEqual(parserUids.first);
      expect(uid).toBeLessThan(parserUids.first + parserUids.count);
      expect(uid).not.toBe(postgresUid);
    }
  });

  test('has no capabilities, may not get any, and runs in the filter', async ({ skip }) => {
    const own = present(skip);
    const worker = await own.start();
    // It is ready when it has gone through everything that comes before.
    const pid = await expect
      .poll(() => readyChild(worker))
      .toBeTruthy()
      .then(() => readyChild(worker));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    await worker.end();
    for (const line of ['CapEff:\t0000000000000000', 'CapPrm:\t0000000000000000', 'NoNewPrivs:\t1', 'Seccomp:\t2'])
      expect(status).toContain(line);
    if (isRoot) expect(status).not.toMatch(/^Uid:.*\b0\b/m);
  });

  test('still has the threads that it needs', async ({ skip }) => {
    expect(await present(skip).outcomes('thread')).toEqual({ thread: 'did it: ok' });
  });

  test('has its input and its folder to itself', async ({ skip }) => {
    const own = present(skip);
    const worker = await own.start();
    const { folder } = worker;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(own.folder).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    await worker.end();
    expect(existsSync(folder)).toBe(false);
  });
});

function readyChild(worker: Worker): number | undefined {
  const pid = worker.pid;
  const command = pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  return command && !command.includes('.start') && command.includes('escaping-child') ? pid : undefined;
}

test('in namespaces, its processes are numbered from one', async ({ skip }) => {
  skip(!namespaces, '');
  if (!namespaces) return;
  let held: Held | undefined;
  try {
    held = await hold(namespaces);
  } catch (error) {
    skip(true, `this machine does not allow namespaces: ${error}`);
  }
  expect(await held?.outcomes('pid')).toEqual({ pid: 'did it: 2' });
  held?.close();
});

describe('the starter', () => {
  const write = (...steps: Parameters<typeof buildStarter>[1]) => {
    const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
    const path = join(base, 'start');
    rmSync(path, { force: true });
    writeFileSync(path, buildStarter(machine, steps), { mode: 0o700 });
    return path;
  };
  const linux = process.platform === 'linux';

  test.skipIf(!linux)('becomes its arguments, and ends as they do', () => {
    const path = write({ call: 'write', arguments: [1, 'first\n', 6], what: 'no' }, 'fork', 'fork');
    const ended = spawnSync(path, ['/bin/sh', '-c', 'echo "$0 $WORD"; exit 7', 'then'], {
      env: { WORD: 'this' },
      encoding: 'utf8',
    });
    expect(ended).toMatchObject({ status: 7, stdout: 'first\nthen this\n' });
    expect(spawnSync(path, ['/bin/sh', '-c', 'kill -TERM $$']).status).toBe(128 + 15);
  });

  test.skipIf(!linux)('stops at what fails and says so, but not at what may fail', () => {
    const missing = { call: 'chdir', arguments: ['/nowhere'] } as const;
    const path = write(missing, { ...missing, what: 'that folder is missing' });
    expect(spawnSync(path, ['/bin/true'], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: 'that folder is missing\n',
    });
    expect(spawnSync(write(missing), ['/bin/true']).status).toBe(0);
    expect(spawnSync(write(), ['/nowhere'], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: 'the program can not be started\n',
    });
  });

  test.for([
    ['x64', 'as'],
    ['arm64', 'aarch64-linux-gnu-as'],
  ] as const)('is on %s what its source says', ([machine, assembler], { skip }) => {
    const isNative = spawnSync(assembler, ['--version'], { encoding: 'utf8' }).stdout?.includes(
      machine === 'x64' ? 'x86_64' : 'aarch64',
    );
    skip(!isNative, `${assembler} for ${machine} is not installed`);
    const source = readFileSync(new URL('./starter.md', import.meta.url), 'utf8');
    const text = new RegExp(`## ${machine}\n\`\`\`asm\n([^\`]*)`).exec(source)?.[1] ?? '';
    const object = join(base, `${machine}.o`);
    expect(spawnSync(assembler, ['-o', object, '-'], { input: text }).status).toBe(0);
    const raw = join(base, `${machine}.bin`);
    spawnSync(assembler.replace(/as$/, 'objcopy'), ['-O', 'binary', '-j', '.text', object, raw]);
    const code = readFileSync(raw);
    expect(code.length).toBeGreaterThan(200);
    expect(Buffer.from(buildStarter(machine, [])).subarray(0x78, 0x78 + code.length)).toEqual(code);
  });
});

test('a parser ends with the process that started it, however busy it is', { timeout: 180_000 }, async ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux tells a process that its parent has ended');
  const script = `
    import { createSandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
    import { writeFileSync } from 'node:fs';
    const [program, input] = process.argv.slice(1);
    writeFileSync(input, 'spin');
    const sandbox = await createSandbox({ log: { warn() {} }, program });
    sandbox.parse({ path: input, format: 'text', name: 'a' });
    setInterval(() => {}, 1000);
  `;
  const misbehaving = fileURLToPath(new URL('./misbehaving-child.ts', import.meta.url));
  const own = join(base, 'tmp');
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script, misbehaving, join(base, 'spin')], {
    env: { PATH: process.env.PATH, TMPDIR: mkdtempSync(own) },
    stdio: 'ignore',
  });
  const spinning = () =>
    spawnSync('ps', ['-A', '-ww', '-o', 'pid=,time=,args='], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.includes(own) && line.includes('misbehaving-child'));
  await expect.poll(() => spinning().some((line) => / 00:00:0[1-9] /.test(line)), patience).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(spinning, patience).toEqual([]);
});

const mayBeRootAlone = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0;
test.skipIf(!mayBeRootAlone)(
  'root of a user namespace that has no other user holds a parser as anyone who is not root does',
  () => {
    const script = `
      import { createSandbox } from '#server/features/ingestion/sandbox/sandbox.ts';
      const sandbox = await createSandbox({ log: { warn() {} }, ocrLanguages: [] });
      const { blocks } = await sandbox.parse({ path: process.argv[1], format: 'text' });
      console.log(sandbox.isolation + ': ' + blocks.length);
      await sandbox.close();
    `;
    const node = [process.execPath, '--input-type=module', '-e', script, anybodys];
    const { stdout, stderr } = spawnSync('unshare', ['--user', '--map-root-user', ...node], { encoding: 'utf8' });
    expect(stdout, stderr).toMatch(/no network.*no capabilities.*: 1\n$/);
  },
);
