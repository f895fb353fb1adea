import { type Machine, numberOf, type SystemCall } from './system-calls.ts';

/**
 * What a parser has no use for, and whoever takes it over has: sockets of every kind, other processes, other views of
 * the system, and corners of the kernel in which weaknesses are found again and again. (A pair of sockets is not among
 * them: the native reader makes one to wake itself, and it leads nowhere else.)
 */
const refused: readonly SystemCall[] = [
  ...(['socket', 'connect', 'bind', 'listen', 'accept', 'accept4'] as const),
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'kcmp'] as const),
  ...([
    'pidfd_open',
    'pidfd_getfd',
    'pidfd_send_signal',
    'kill',
    'tkill',
    'rt_sigqueueinfo',
    'rt_tgsigqueueinfo',
  ] as const),
  ...(['fork', 'vfork', 'unshare', 'setns', 'chroot', 'pivot_root', 'mount', 'umount2', 'mount_setattr'] as const),
  ...(['move_mount', 'open_tree', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mknodat'] as const),
  ...(['name_to_handle_at', 'open_by_handle_at', 'fanotify_init'] as const),
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'add_key', 'request_key', 'keyctl', 'syslog', 'personality'] as const),
  ...(['init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load', 'reboot'] as const),
  ...(['swapon', 'swapoff', 'settimeofday', 'clock_settime', 'acct', 'quotactl', 'sethostname'] as const),
  ...(['setdomainname', 'iopl', 'ioperm', 'modify_ldt', 'shmget', 'msgget', 'semget', 'mq_open'] as const),
];
/** Those that are taken for missing, so that whoever asks goes another way; one of them would open sockets unseen. */
const missing: readonly SystemCall[] = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'];

const auditArch = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Where a call's number, its machine and its first argument lie (`struct seccomp_data`). */
const at = { number: 0, machine: 4, firstArgument: 16 };
const action = { allow: 0x7fff0000, kill: 0x80000000, eperm: 0x00050001, enosys: 0x00050026 };
/** Instructions of classic BPF. */
const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfSet = 0x45;
const answer = 0x06;
/** Numbers from here on are calls of another kind (x32), which the list does not name. */
const otherKind = 0x40000000;
const cloneThread = 0x00010000;

/** The program of a filter that refuses these calls, any new process, and any call by another machine's numbers. */
export function seccompFilter(machine: Machine): Uint8Array {
  const program: Instruction[] = [
    [load, 0, 0, at.machine],
    [jumpIfEqual, 1, 0, auditArch[machine]],
    [answer, 0, 0, action.kill],
    [load, 0, 0, at.number],
    [jumpIfAtLeast, 0, 1, otherKind],
    [answer, 0, 0, action.eperm],
  ];
  const answers = [
    [missing, action.enosys],
    [refused, action.eperm],
  ] as const;
  for (const [calls, said] of answers) {
    for (const call of calls) {
      const number = numberOf(call, machine);
      if (number !== undefined) program.push([jumpIfEqual, 0, 1, number], [answer, 0, 0, said]);
    }
  }
  program.push(
    [jumpIfEqual, 0, 3, numberOf('clone', machine) ?? 0],
    // A thread of the same process, and nothing else.
    [load, 0, 0, at.firstArgument],
    [jumpIfSet, 1, 0, cloneThread],
    [answer, 0, 0, action.eperm],
    [answer, 0, 0, action.allow],
  );
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, whenTrue);
    bytes.setUint8(index * 8 + 3, whenFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

/** Code, jump when true, jump when false, value. */
type Instruction = readonly [number, number, number, number];
