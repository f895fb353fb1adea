import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canBeOthers } from '#server/lib/system-users.ts';
import type { CodeCache } from './code-cache.ts';
import { inNamespaces, machineOf, type Room, rootFolder, withFilter, withLandlock } from './confinement.ts';
import { buildStarter, type Step } from './starter.ts';
import type { Machine } from './system-calls.ts';

/** Which children there are: the one for PDF runs native code, and may load it. */
export type Kind = 'pdf' | 'office';

export interface Isolation {
  /** For `/readyz`: what holds a child. */
  description: string;
  /**
   * What a child that was taken over could still do, in plain words, and what is missing here; absent where that is
   * nothing.
   */
  weakness?: string;
  /**
   * How to start a child.
   * @param folder its own, which is there; beside it a file may be made that bears its name and `.start`
   * @param uid as whom; absent: as we do
   */
  command(kind: Kind, folder: string, uid?: number): Command;
}

interface Command {
  file: string;
  args: string[];
  uid?: number;
  /** Of its environment. */
  env?: { NODE_COMPILE_CACHE: string };
}

export interface IsolationOptions {
  program: string;
  /** What a child may hold at once, beside what is only mapped. */
  memoryMb: Record<Kind, number>;
  cpuSeconds: number;
  /** Below which the children have their folders. */
  folder: string;
  /** What a child may read beside its own folder and its code. */
  readable: readonly string[];
  /** What children read of the code as it was loaded before. */
  codeCache?: CodeCache;
}

/** A child that was begun. */
interface Startable {
  becomesReady(timeoutMs: number): Promise<void>;
  end(): Promise<void>;
}

/** A way to hold a child. */
export interface Way {
  holds: string;
  weakness?: string;
  steps: ((room: Room, machine: Machine) => Step[]) | null;
  /** Whether it can write nothing that another child reads, whatever it has become. */
  isReadOnly?: boolean;
}

const megabyte = 1024 * 1024;
/**
 * What is mapped and counts as data, though little of it is ever used: V8's, without which node itself does not start,
 * and a gigabyte that the native PDF reader sets aside with its first page.
 */
const mappedMb: Record<Kind, number> = { office: 700, pdf: 700 + 1024 };
const probeTimeoutMs = 20_000;

const ingestion = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const root = realpathSync(fileURLToPath(new URL('../../../..', import.meta.url)));

const withinUser = canBeOthers() ? 'user of its own' : 'no capabilities';
/** The strongest first. */
export const ways: readonly Way[] = [
  {
    holds: `no network, processes and files of its own (namespaces), ${withinUser}, filtered system calls, memory limit`,
    steps: inNamespaces,
    isReadOnly: true,
  },
  {
    holds: `no files but its own (Landlock), no network and no other processes (filtered system calls), ${withinUser}, memory limit`,
    weakness: 'it sees the names of the processes of its user',
    steps: withLandlock,
    isReadOnly: true,
  },
  {
    holds: `no network and no other processes (filtered system calls), ${withinUser}, memory limit`,
    weakness: 'native code in it can read what its user can read',
    steps: withFilter,
  },
  {
    holds: canBeOthers() ? 'user of its own' : '',
    weakness: canBeOthers()
      ? 'native code in it can read what every user can read, and reach the network'
      : 'native code in it can do whatever the service itself can do; run the service in a container or virtual machine',
    steps: null,
  },
];

/**
 * Finds the strongest way to hold a child that this machine allows, by starting one in it.
 * @param start begins one that is held so
 * @returns with it the child that has started, which is the caller's to use or to end
 * @throws Error when not even an unprotected child starts
 */
export async function findIsolation<Child extends Startable>(
  options: IsolationOptions,
  start: (isolation: Isolation) => Promise<Child>,
  possible = ways,
): Promise<{ isolation: Isolation; first: Child }> {
  const machine = machineOf();
  const missing: string[] = [];
  for (const way of possible) {
    if (way.steps && !machine) continue;
    const isolation = isolationBy(way, machine, options, missing);
    try {
      const first = await start(isolation);
      try {
        await first.becomesReady(probeTimeoutMs);
        return { isolation, first };
      } catch (error) {
        await first.end();
        throw error;
      }
    } catch (error) {
      missing.push(`${nameOf(way.steps)}: ${saidBy(error)}`);
    }
  }
  throw new Error(`A parser process does not start: ${missing.join('; ')}`);
}

/** @param missing what the stronger ways lack here */
function isolationBy(
  { holds, weakness, steps, isReadOnly }: Way,
  machine: Machine | null,
  options: IsolationOptions,
  missing: readonly string[],
): Isolation {
  return {
    description: ['own process', 'node permissions', ...(holds ? [holds] : [])].join(', '),
    ...(weakness !== undefined && { weakness: [weakness, ...missing].join('; ') }),
    command(kind, folder, uid) {
      const seenAs = uid ?? (steps === inNamespaces ? 0 : (process.getuid?.() ?? 0));
      const code = isReadOnly ? options.codeCache?.folderFor(seenAs) : undefined;
      const node = [process.execPath, ...nodeArguments(kind, folder, options, code)];
      if (!steps || !machine) {
        return { file: process.execPath, args: node.slice(1), ...(uid !== undefined && { uid }) };
      }
      const starter = starterOf(folder);
      const bytes = buildStarter(machine, steps(roomFor(kind, folder, uid, options), machine));
      // Written and closed before anything else is started: nobody can hold it open, which would keep it from
      // starting.
      rmSync(starter, { force: true });
      writeFileSync(starter, bytes, { mode: 0o700 });
      return { file: starter, args: node, ...(code !== undefined && { env: { NODE_COMPILE_CACHE: code } }) };
    },
  };
}

/** @returns the file that starts the child whose folder this is */
export function starterOf(folder: string): string {
  return `${folder}.start`;
}

/** The first line, which names the step that failed. */
function saidBy(error: unknown): string {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  return said.slice(0, 300);
}

function nameOf(steps: Way['steps']): string {
  if (steps === inNamespaces) return 'no namespaces';
  if (steps === withLandlock) return 'no Landlock';
  return steps === withFilter ? 'no filter' : 'without protection';
}

function roomFor(kind: Kind, folder: string, uid: number | undefined, options: IsolationOptions): Room {
  return {
    readable: [...codeOf(options), ...options.readable],
    folder,
    root: rootFolder(options.folder),
    ...(uid !== undefined && { uid }),
    dataBytes: (options.memoryMb[kind] + mappedMb[kind]) * megabyte,
    cpuSeconds: options.cpuSeconds,
  };
}

/** The code of a child, and what it imports. */
function codeOf({ program }: IsolationOptions): string[] {
  const folders = [join(root, 'package.json'), join(root, 'node_modules'), ingestion];
  return program.startsWith(ingestion) ? folders : [...folders, dirname(program)];
}

function nodeArguments(kind: Kind, folder: string, options: IsolationOptions, code?: string): string[] {
  const [manifest = '', ...folders] = codeOf(options);
  const readable = [manifest, ...[...folders, folder].map((path) => join(path, '*'))];
  return [
    '--permission',
    ...(kind === 'pdf' ? ['--allow-addons'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // Node takes a cache only where it could write, too. It can't: what holds the process shows it read-only.
    ...(code === undefined ? [] : [`--allow-fs-write=${join(code, '*')}`]),
    '--no-warnings',
    // The system's can't be opened in there, which would end the process.
    '--openssl-config=/dev/null',
    `--max-old-space-size=${options.memoryMb[kind]}`,
    options.program,
    kind,
    folder,
  ];
}
