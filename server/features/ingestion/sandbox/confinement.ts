import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canBeOthers } from '#server/lib/system-users.ts';
import { seccompFilter } from './seccomp.ts';
import type { Argument, Step } from './starter.ts';
import type { Machine, SystemCall } from './system-calls.ts';

/** What a process is to be left with. */
export interface Room {
  /** Files and folders that it may read. */
  readable: readonly string[];
  /** Its own folder, which is made by the time it starts. */
  folder: string;
  /** An empty folder, over which its view of the file system is put together. */
  root: string;
  /** As whom it runs; absent: as we do. */
  uid?: number;
  dataBytes: number;
  cpuSeconds: number;
}

const sigkill = 9;
const prctl = { parentDeathSignal: 1, noNewPrivileges: 38 };
const ms = { readOnly: 1, noSuid: 2, noDev: 4, noExec: 8, remount: 32, bind: 4096, recursive: 16384, private: 1 << 18 };
const newNamespaces = {
  mount: 0x20000,
  uts: 0x4000000,
  ipc: 0x8000000,
  user: 0x10000000,
  process: 0x20000000,
  network: 0x40000000,
};
const detach = 2;
const resource = { cpu: 0, fileSize: 1, data: 2, core: 4 };
/** Of what a library lays aside while it reads a picture: the picture once more. */
const scratchMb = 256;
const megabyte = 1024 * 1024;
const openFor = { reading: 0x80000 | 0x200000, writing: 1 };
/** Landlock's right to write and read files in a folder, to make and remove them and folders, and to list them. */
const scratchRights = 0b1_1011_1110n;
/** Relative to the working directory. */
const here = -100;
const regularFile = 0o100644;

const call = (name: SystemCall, what: string, ...args: Argument[]): Step => ({ call: name, arguments: args, what });

/** Ends with its parent: without this, one that is busy would not see that the parent was killed. */
const endsWithParent = call('prctl', 'it can not be tied to its parent', prctl.parentDeathSignal, sigkill, 0, 0, 0);
const closeInherited: Step = { call: 'close_range', arguments: [3, 0xffffffff, 0] };

/**
 * In namespaces of its own: no network, no other processes, and a file system of nothing but what it may read, all of
 * it read-only, and a small one in memory for what is laid aside. Not as root, a user namespace gives the right to make
 * these.
 */
export function inNamespaces(room: Room, machine: Machine): Step[] {
  const { mount, uts, ipc, user, process: processes, network } = newNamespaces;
  const all = mount | uts | ipc | processes | network;
  return [
    closeInherited,
    endsWithParent,
    // What follows makes folders that others are to enter.
    call('umask', 'umask', 0o022),
    ...(canBeOthers() ? [call('unshare', 'namespaces are not allowed', all)] : asRootOfOwnNamespace(all | user)),
    call('mount', 'mounts can not be kept apart', 0, '/', 0, ms.recursive | ms.private, 0),
    // The first process of a namespace does not get the signals that end others, so it is one that only waits.
    'fork',
    endsWithParent,
    ...ownRoot(room),
    'fork',
    ...giveUp(room, machine),
  ];
}

/** Where namespaces are forbidden, as in most containers: Landlock for the file system, and a filter for the rest. */
export function withLandlock(room: Room, machine: Machine): Step[] {
  // All that its first version knows; each is refused that no rule allows.
  const handled = Buffer.alloc(8);
  handled.writeBigUInt64LE(0x1fffn);
  const own = { path: scratchFolder(room.folder), isFolder: true, isDevice: false, isScratch: true };
  const rules = [...viewOf(room).binds, own].flatMap(({ path, isFolder, isDevice, ...rest }) => {
    // What is allowed (execute, write and read a file, read a folder), and the open file (`struct
    // landlock_path_beneath_attr`).
    const rule = Buffer.alloc(12);
    const read = isFolder ? 0b1101n : isDevice ? 0b110n : 0b101n;
    rule.writeBigUInt64LE('isScratch' in rest ? scratchRights : read);
    rule.writeInt32LE(4, 8);
    return [
      call('openat', `${path} can not be opened`, here, path, openFor.reading, 0),
      call('landlock_add_rule', `Landlock refuses ${path}`, 3, 1, rule, 0),
      call('close', 'close', 4),
    ];
  });
  return [
    closeInherited,
    call('landlock_create_ruleset', 'there is no Landlock', handled, 8, 0),
    ...rules,
    call('prctl', 'rights can not be given up', prctl.noNewPrivileges, 1, 0, 0, 0),
    call('landlock_restrict_self', 'Landlock refuses', 3, 0),
    call('close', 'close', 3),
    ...giveUp(room, machine),
  ];
}

/** With neither: it sees what its user sees, but can't speak to anyone. */
export function withFilter(room: Room, machine: Machine): Step[] {
  return [closeInherited, ...giveUp(room, machine)];
}

/** The user, privileges, memory and system calls: what never comes back. */
function giveUp({ uid, dataBytes, cpuSeconds }: Room, machine: Machine): Step[] {
  const nobody =
    uid === undefined
      ? []
      : [
          call('setgroups', 'groups can not be left', 0, 0),
          call('setresgid', 'its group can not be changed', uid, uid, uid),
          call('setresuid', 'its user can not be changed', uid, uid, uid),
        ];
  return [
    ...nobody,
    // Forgotten when the user changes.
    endsWithParent,
    limit(resource.data, dataBytes),
    limit(resource.fileSize, scratchMb * megabyte),
    limit(resource.core, 0),
    // One that outlives its parent spins no longer than this.
    limit(resource.cpu, cpuSeconds),
    call('prctl', 'rights can not be given up', prctl.noNewPrivileges, 1, 0, 0, 0),
    call('capset', 'capabilities can not be given up', capabilityHeader(), new Uint8Array(24)),
    call('seccomp', 'there is no seccomp filter', 1, 0, { filter: seccompFilter(machine) }),
  ];
}

function limit(what: number, value: number): Step {
  const both = Buffer.alloc(16);
  both.writeBigUInt64LE(BigInt(value), 0);
  both.writeBigUInt64LE(BigInt(value), 8);
  return call('prlimit64', 'a limit can not be set', 0, what, both, 0);
}

/** Version 3, of the process itself. */
function capabilityHeader(): Uint8Array {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x20080522);
  return header;
}

/** Our user and group are root's in there, and nobody else is anyone. */
function asRootOfOwnNamespace(namespaces: number): Step[] {
  const write = (file: string, content: string): Step[] => [
    call('openat', `${file} can not be opened`, here, `/proc/self/${file}`, openFor.writing, 0),
    call('write', `${file} can not be written: user namespaces are restricted`, 3, content, content.length),
    call('close', 'close', 3),
  ];
  return [
    call('unshare', 'user namespaces are not allowed', namespaces),
    ...write('setgroups', 'deny'),
    ...write('uid_map', `0 ${process.getuid?.()} 1`),
    ...write('gid_map', `0 ${process.getgid?.()} 1`),
  ];
}

function ownRoot(room: Room): Step[] {
  const { root, folder } = room;
  const { folders, files, links, binds } = viewOf(room);
  const kept = ms.remount | ms.bind | ms.readOnly | ms.noSuid;
  return [
    call('mount', `${root} can not be mounted over`, 'tmpfs', root, 'tmpfs', ms.noSuid | ms.noDev, 'size=1m,mode=755'),
    ...folders.map((path) => call('mkdirat', `${path} can not be made`, here, root + path, 0o755)),
    ...files.map((path) => call('mknodat', `${path} can not be made`, here, root + path, regularFile, 0)),
    ...links.map(({ path, to }) => call('symlinkat', `${path} can not be made`, to, here, root + path)),
    ...binds.flatMap(({ path, isInput, isDevice }) => [
      call('mount', `${path} can not be shown`, path, root + path, 0, ms.bind | ms.recursive, 0),
      ...(isDevice
        ? []
        : [
            call(
              'mount',
              `${path} can not be made read-only`,
              0,
              root + path,
              0,
              kept | ms.noDev | (isInput ? ms.noExec : 0),
              0,
            ),
          ]),
    ]),
    call(
      'mount',
      'there can be no folder for what is laid aside',
      'tmpfs',
      root + scratchFolder(folder),
      'tmpfs',
      ms.noSuid | ms.noDev | ms.noExec,
      `size=${scratchMb}m,nr_inodes=1000,mode=1777`,
    ),
    call('mount', 'the root can not be made read-only', 0, root, 0, kept | ms.noDev, 0),
    call('chdir', 'the root can not be entered', root),
    call('pivot_root', 'the root can not be changed', '.', '.'),
    call('umount2', 'the old root can not be left', '.', detach),
    call('chdir', 'the root can not be entered', '/'),
  ];
}

interface View {
  /** To be made, each after the one that it is in. */
  folders: string[];
  files: string[];
  links: { path: string; to: string }[];
  binds: { path: string; isFolder: boolean; isInput: boolean; isDevice: boolean }[];
}

/** What there is to see: the readable, the program, the libraries of the system, and where these are looked for. */
function viewOf({ readable, folder }: Room): View {
  const system = ['/dev/null', '/dev/urandom', '/etc/ld.so.cache', '/usr/share/fonts'].filter((path) =>
    existsSync(path),
  );
  const wanted = [...readable, process.execPath, ...libraryFolders(), ...system].map((path) => realpathSync(path));
  const outer = [...new Set(wanted)].filter((path) => !wanted.some((other) => path.startsWith(`${other}/`)));
  const links = ['/lib', '/lib64', '/usr/lib64']
    .filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink())
    .map((path) => ({ path, to: readlinkSync(path) }));
  const binds = [...outer, ...loader(), folder].map((path) => {
    const stat = statSync(path);
    return { path, isFolder: stat.isDirectory(), isInput: path === folder, isDevice: stat.isCharacterDevice() };
  });
  const folders = new Set<string>();
  const addWithParents = (path: string) => {
    if (path === '/' || folders.has(path)) return;
    addWithParents(dirname(path));
    folders.add(path);
  };
  for (const { path, isFolder } of binds) addWithParents(isFolder ? path : dirname(path));
  for (const { path } of links) addWithParents(dirname(path));
  return {
    folders: [...folders],
    files: binds.filter(({ isFolder }) => !isFolder).map(({ path }) => path),
    links,
    binds,
  };
}

let libraries: string[] | undefined;

/** Where the libraries lie that this program and its native code have loaded, and whatever loads them. */
function libraryFolders(): string[] {
  libraries ??= [
    ...new Set([
      ...[...readFileSync('/proc/self/maps', 'utf8').matchAll(/ (\/\S+\.so(\.\S+)?)$/gm)].map(([, path = '']) =>
        dirname(path),
      ),
      ...['/lib64'].filter((path) => existsSync(path)),
    ]),
  ].filter((path) => !path.includes('/node_modules/'));
  return libraries;
}

/** What programs on arm64 name as the loader of their libraries: a link, of which the folder is not shown. */
function loader(): string[] {
  const path = '/lib/ld-linux-aarch64.so.1';
  return existsSync(path) && process.arch === 'arm64' ? [join(realpathSync(dirname(path)), basename(path))] : [];
}

/** Whether this system's calls are known. */
export function machineOf(): Machine | null {
  if (process.platform !== 'linux') return null;
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : null;
}

/** In a child's folder, where a library may lay aside what it reads; there are few that do without. */
export function scratchFolder(folder: string): string {
  return join(folder, 'scratch');
}

/** The folder for the room's root, beside those of the processes. */
export function rootFolder(folder: string): string {
  return join(folder, 'root');
}
