/**
 * A child for the tests of the sandbox that does what a parser would whose native code has been taken over: it calls
 * the system's library itself, past Node's permissions, and says what came of what its input names.
 */
import { readFileSync, writeSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import koffi from 'koffi';

const libc = koffi.load('libc.so.6');
const call = {
  open: libc.func('int open(const char *path, int flags, int mode)'),
  read: libc.func('long read(int fd, _Out_ uint8_t *buffer, size_t count)'),
  socket: libc.func('int socket(int domain, int type, int protocol)'),
  connect: libc.func('int connect(int fd, const uint8_t *address, uint32_t length)'),
  kill: libc.func('int kill(int pid, int signal)'),
  ptrace: libc.func('long ptrace(long request, int pid, void *address, void *data)'),
  fork: libc.func('int fork()'),
  _exit: libc.func('void _exit(int status)'),
  system: libc.func('int system(const char *command)'),
  unshare: libc.func('int unshare(int flags)'),
  mount: libc.func(
    'int mount(const char *source, const char *target, const char *type, unsigned long flags, void *data)',
  ),
  chroot: libc.func('int chroot(const char *path)'),
  setuid: libc.func('int setuid(uint32_t uid)'),
  readlink: libc.func('long readlink(const char *path, _Out_ uint8_t *buffer, size_t count)'),
  syscall: libc.func('long syscall(long number, long a, long b, long c)'),
  opendir: libc.func('void *opendir(const char *path)'),
  getuid: libc.func('uint32_t getuid()'),
  getpid: libc.func('int getpid()'),
};
const family = { unix: 1, internet: 2, netlink: 16, packet: 17 };
const userNamespace = 0x10000000;
const attach = 16;
const readWrite = 2;
const create = 0o100;
const ioUringSetup = 425;
const exitCode = 9;

const attempts: Record<string, (argument: string) => unknown> = {
  read(path) {
    const file = must(call.open(path, 0, 0), 'open');
    const buffer = Buffer.alloc(100);
    return `${must(call.read(file, buffer, 100), 'read')} bytes`;
  },
  cache: () => getCompileCacheDir() ?? 'none',
  list: (path) => (call.opendir(path) ? 'opened' : refused('opendir')),
  write: (path) => must(call.open(path, create | readWrite, 0o666), 'open'),
  /** A path, or a name after an @ for an abstract socket. */
  connect(path) {
    const socket = must(call.socket(family.unix, 1, 0), 'socket');
    const name = Buffer.from(path.replace(/^@/, '\0'));
    const address = Buffer.concat([Buffer.from([family.unix, 0]), name]);
    return must(call.connect(socket, address, address.length), 'connect');
  },
  dial(port) {
    const socket = must(call.socket(family.internet, 1, 0), 'socket');
    const address = Buffer.from([
      family.internet,
      0,
      Number(port) >> 8,
      Number(port) & 255,
      127,
      0,
      0,
      1,
      ...Buffer.alloc(8),
    ]);
    return must(call.connect(socket, address, address.length), 'connect');
  },
  socket: (name) => must(call.socket(family[name as keyof typeof family] ?? 0, 3, 0), 'socket'),
  signal: (pid) => must(call.kill(Number(pid), 0), 'kill'),
  trace: (pid) => must(call.ptrace(attach, Number(pid), null, null), 'ptrace'),
  fork() {
    const pid = must(call.fork(), 'fork');
    if (pid === 0) call._exit(0);
    return pid;
  },
  system(command) {
    const status = call.system(command);
    return status === 0 ? 'done' : refused(`status ${status}`);
  },
  unshare: () => must(call.unshare(userNamespace), 'unshare'),
  mount: (path) => must(call.mount('tmpfs', path, 'tmpfs', 0, null), 'mount'),
  chroot: (path) => must(call.chroot(path), 'chroot'),
  becomeRoot: () => must(call.setuid(0), 'setuid'),
  ring: () => must(call.syscall(ioUringSetup, 1, 0, 0), 'io_uring'),
  user: () => call.getuid(),
  pid: () => call.getpid(),
  /** Threads are allowed: the reader has some. */
  thread: async () => (await import('node:zlib')).gunzipSync((await import('node:zlib')).gzipSync('ok')).toString(),
};

function must(result: number | bigint, what: string): number {
  if (Number(result) < 0) return refused(`${what} ${koffi.errno()}`);
  return Number(result);
}

function refused(what: string): never {
  throw new Error(what);
}

process.stdin.on('end', () => process.exit(0));
process.stdin.once('data', async (line) => {
  const { path } = JSON.parse(String(line));
  const outcomes: string[] = [];
  for (const each of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const [name = '', ...rest] = each.split(' ');
    const outcome = await attempt(name, rest.join(' ')).then(
      (value) => `did it: ${value}`,
      (error) => `refused: ${error.message}`,
    );
    outcomes.push(outcome);
  }
  for (const text of outcomes) say({ type: 'block', block: { kind: 'paragraph', text } });
  say({ type: 'done' });
  process.exit(outcomes.length > 0 ? 0 : exitCode);
});
say({ type: 'ready' });

async function attempt(name: string, argument: string): Promise<unknown> {
  const known = attempts[name];
  if (!known) throw new Error('unknown');
  return known(argument);
}

function say(message: object): void {
  writeSync(1, `\n${JSON.stringify(message)}\n`);
}
