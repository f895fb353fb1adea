import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Which children there are: the one for PDF runs native code, and may load it. */
export type Kind = 'pdf' | 'office';

export interface Isolation {
  /** For `/readyz`: what holds a child, and what does not. */
  description: string;
  /** False when a child could reach the network. */
  complete: boolean;
  command(kind: Kind, folder: string): { file: string; args: string[] };
}

interface Layer {
  name: string;
  args: string[];
}

const nobody = 65_534;
const megabyte = 1024 * 1024;
/** A child that is busy does not see that its parent was killed, and would go on until its time is over. */
const endsWithUs = ['--pdeathsig', 'KILL'];
/** What V8 maps beside its heap: with less, node itself does not start. */
const addressSpaceOfNode = 700;

const ingestion = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const root = realpathSync(fileURLToPath(new URL('../../../..', import.meta.url)));

/**
 * Finds the strongest way to hold a child that this machine allows, by starting one in it.
 * @throws Error when not even an unprotected child starts
 */
export function probeIsolation(options: { program: string; memoryMb: number; cpuSeconds: number }): Isolation {
  const limits = [
    `--data=${(options.memoryMb + addressSpaceOfNode) * megabyte}`,
    '--core=0',
    // A child that outlives its parent spins no longer than this.
    `--cpu=${options.cpuSeconds}`,
  ];
  const layers = {
    prlimit: layer('prlimit', 'memory limit', limits),
    // Root gives its children away: what a parser may read must not be what root may.
    user: isRoot()
      ? layer('setpriv', 'user nobody', [
          ...endsWithUs,
          `--reuid=${nobody}`,
          `--regid=${nobody}`,
          '--clear-groups',
          '--no-new-privs',
          '--bounding-set=-all',
          '--inh-caps=-all',
        ])
      : layer('setpriv', 'ends with its parent', endsWithUs),
    network: layer('unshare', 'no network', isRoot() ? ['-n'] : ['-rn']),
  };
  const candidates = [
    [layers.network, layers.user, layers.prlimit],
    [layers.network, layers.prlimit],
    [layers.user, layers.prlimit],
    [layers.prlimit],
    [],
  ];
  let output = '';
  for (const candidate of candidates) {
    const used = candidate.filter((each) => each !== null);
    const isolation: Isolation = {
      description: ['own process', 'node permissions', ...used.map(({ name }) => name)].join(', '),
      complete: used.some((each) => each === layers.network),
      command(kind, folder) {
        const [file = process.execPath, ...args] = [
          ...used.flatMap((each) => [...each.args, '--']),
          process.execPath,
          ...nodeArguments(kind, { folder, ...options }),
        ];
        return { file, args };
      },
    };
    const { file, args } = isolation.command('office', dirname(options.program));
    const probe = spawnSync(file, args, { input: '', env: {}, encoding: 'utf8', timeout: 20_000, cwd: '/' });
    if (probe.status === 0) return isolation;
    output = `${probe.error?.message ?? ''}${probe.stderr ?? ''}`.slice(0, 2000);
  }
  throw new Error(`A parser process does not start: ${output}`);
}

function nodeArguments(
  kind: Kind,
  { folder, program, memoryMb }: { folder: string; program: string; memoryMb: number },
) {
  const readable = [
    join(root, 'package.json'),
    join(root, 'node_modules', '*'),
    join(ingestion, '*'),
    join(folder, '*'),
  ];
  if (!program.startsWith(ingestion)) readable.push(join(dirname(program), '*'));
  return [
    '--permission',
    ...(kind === 'pdf' ? ['--allow-addons'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
    `--max-old-space-size=${memoryMb}`,
    program,
    kind,
    folder,
  ];
}

function layer(tool: string, name: string, args: string[]): Layer | null {
  const file = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
    .map((folder) => join(folder, tool))
    .find((path) => existsSync(path));
  return file ? { name, args: [file, ...args] } : null;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
