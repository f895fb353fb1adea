import { type Machine, numberOf, type SystemCall } from './system-calls.ts';

/**
 * A program that makes system calls one after the other, and then becomes the program named by its arguments. It does
 * what only the process itself can do between its start and the first line of a parser: give up rights for good. No
 * tool that is on every Linux loads a seccomp filter, and of a shell with `mount` and its like each step would be a
 * process.
 *
 * The program is a loop of a few machine instructions (starter.md has them) over a table, which is written here.
 */
export type Step = 'fork' | CallStep;

export interface CallStep {
  call: SystemCall;
  arguments: readonly Argument[];
  /** What is said when it fails, which ends the program; absent: it may fail. */
  what?: string;
}

/** A number, or where a text, bytes, or a filter of seccomp lies. */
export type Argument = number | bigint | string | Uint8Array | { filter: Uint8Array };

/** Where the program lies in memory: its header, its code, the table, and what its entries point to. */
const base = 0x400000;
const codeAt = 0x78;
const tableAt = 0x400;
/** Number of the call, six arguments, address and length of what is said. */
const entrySize = 9 * 8;
const become = -1n;
const fork = -2n;
const elfMachine = { x64: 62, arm64: 183 };

/** @returns the bytes of an executable file (ELF, static) */
export function buildStarter(machine: Machine, steps: readonly Step[]): Uint8Array {
  const table = Buffer.alloc((steps.length + 1) * entrySize);
  const dataAt = tableAt + table.length;
  const data: Uint8Array[] = [];
  let dataLength = 0;

  function keep(bytes: Uint8Array): number {
    const address = base + dataAt + dataLength;
    // What follows begins at a multiple of eight, as structures must.
    const padded = Buffer.alloc(Math.ceil(bytes.length / 8) * 8);
    padded.set(bytes);
    data.push(padded);
    dataLength += padded.length;
    return address;
  }

  function wordOf(argument: Argument): bigint {
    if (typeof argument === 'bigint') return argument;
    if (typeof argument === 'number') return BigInt(argument);
    if (typeof argument === 'string') return BigInt(keep(Buffer.from(`${argument}\0`)));
    if (argument instanceof Uint8Array) return BigInt(keep(argument));
    // How many instructions it has, and where they are (`struct sock_fprog`).
    const program = Buffer.alloc(16);
    program.writeUInt16LE(argument.filter.length / 8, 0);
    program.writeBigUInt64LE(BigInt(keep(argument.filter)), 8);
    return BigInt(keep(program));
  }

  function write(index: number, number: bigint, values: readonly bigint[], what: string | undefined): void {
    const said = Buffer.from(what === undefined ? '' : `${what}\n`);
    const entry = [number, ...values, ...Array<bigint>(6 - values.length).fill(0n)];
    entry.push(said.length > 0 ? BigInt(keep(said)) : 0n, BigInt(said.length));
    for (const [place, value] of entry.entries())
      table.writeBigUInt64LE(BigInt.asUintN(64, value), index * entrySize + place * 8);
  }

  for (const [index, step] of steps.entries()) {
    if (step === 'fork') write(index, fork, [], 'a process can not be started');
    else {
      const number = numberOf(step.call, machine);
      if (number === undefined) throw new Error(`${machine} has no call ${step.call}`);
      write(index, BigInt(number), step.arguments.map(wordOf), step.what);
    }
  }
  write(steps.length, become, [], 'the program can not be started');

  const head = Buffer.alloc(tableAt);
  const size = dataAt + dataLength;
  writeHeader(head, machine, size);
  head.set(Buffer.from(code[machine].join(''), 'hex'), codeAt);
  return Buffer.concat([head, table, ...data]);
}

/** The header of an executable with one segment, which is all of the file. */
function writeHeader(head: Buffer, machine: Machine, size: number): void {
  const isExecutable = 2;
  const segmentHeaderAt = 64;
  head.write('\x7fELF', 'latin1');
  // 64 bits, little-endian, version 1.
  head.set([2, 1, 1], 4);
  head.writeUInt16LE(isExecutable, 16);
  head.writeUInt16LE(elfMachine[machine], 18);
  head.writeUInt32LE(1, 20);
  head.writeBigUInt64LE(BigInt(base + codeAt), 24);
  head.writeBigUInt64LE(BigInt(segmentHeaderAt), 32);
  head.writeUInt16LE(64, 52);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(1, 56);
  // To be loaded, to be read and run.
  head.writeUInt32LE(1, segmentHeaderAt);
  head.writeUInt32LE(5, segmentHeaderAt + 4);
  head.writeBigUInt64LE(BigInt(base), segmentHeaderAt + 16);
  head.writeBigUInt64LE(BigInt(base), segmentHeaderAt + 24);
  head.writeBigUInt64LE(BigInt(size), segmentHeaderAt + 32);
  head.writeBigUInt64LE(BigInt(size), segmentHeaderAt + 40);
  head.writeBigUInt64LE(0x1000n, segmentHeaderAt + 48);
}

/** The loop, assembled from starter.md. */
const code: Record<Machine, string[]> = {
  x64: [
    '4889e5bb00044000488b034883f8ff0f849e0000004883f8fe7429488b7b08488b7310488b53184c8b53204c8b43284c',
    '8b4b300f054885c00f888c0000004883c348ebc4b838000000bf1100000031f631d24531d24531c00f054885c0786b74',
    'dd4989c5b83d00000048c7c7ffffffff488d7424f031d24531d20f054c39e8740d4883f8fc74dd4885c079d8eb3c8b44',
    '24f089c783e77f740881c780000000eb0b89c7c1ef0881e7ff000000b8e70000000f05488d7510488b3e488b4d00488d',
    '54cd10b83b0000000f05488b53404885d20f8467ffffff4989c4b801000000bf02000000488b73380f0549f7dc4c89e7',
    'ebba',
  ],
  arm64: [
    'f3030091148080d21408a0f2880240f91f0500b1000500541f0900b100010054808640a9828e41a9849642a9010000d4',
    'e004f8b794220191f5ffff17200280d2010080d2020080d2030080d2040080d2881b80d2010000d4a003f8b7c0feffb4',
    'f50300aa00008092e14300d1020080d2030080d2882080d2010000d41f0015eba00000541f1000b1e0feff54c0feffb6',
    '0f000014e1035fb820180012600000340000021102000014203c0853c80b80d2010000d461420091200040f9620240f9',
    '220c028ba81b80d2010000d4822240f922fbffb4f60300aa400080d2811e40f9080880d2010000d4e00316cbf0ffff17',
  ],
};
