import { readdirSync, readFileSync } from 'node:fs';

/**
 * The process at the end of a chain in which each has one child: the parser, behind what started it and waits for it.
 * @returns the given one where it has no child, or the system does not tell
 */
export function lastDescendant(pid: number): number {
  const child = childOf(pid);
  return child === undefined ? pid : lastDescendant(child);
}

function childOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')[0]) || undefined;
  } catch {
    return searchChildOf(pid);
  }
}

/** For kernels that do not list the children of a process. */
function searchChildOf(pid: number): number | undefined {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((each) => each > 0)
      .find((each) => parentOf(each) === pid);
  } catch {
    return undefined;
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
