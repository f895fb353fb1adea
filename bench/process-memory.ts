import { readdirSync, readFileSync } from 'node:fs';

const lookEveryMs = 500;

/** Looks at a process and all below it, again and again. @returns what ends it, with the most that it was, in bytes */
export function watchTree(pid: number): { end(): { most: number; all: number[] } } {
  const all: number[] = [];
  const look = () => all.push(memoryOfTree(pid));
  const looking = setInterval(look, lookEveryMs);
  return {
    end() {
      clearInterval(looking);
      look();
      return { most: Math.max(...all), all };
    },
  };
}

/**
 * The proportional share (PSS) of a process and all that descend from it, so that what they share is counted once; in
 * bytes (Linux; 0 elsewhere).
 */
export function memoryOfTree(pid: number): number {
  const children = Map.groupBy(processes(), ({ parent }) => parent);
  const below = (root: number): number[] => [root, ...(children.get(root) ?? []).flatMap((each) => below(each.pid))];
  return below(pid).reduce((sum, each) => sum + pssOf(each), 0);
}

function processes(): { pid: number; parent: number }[] {
  const pids = namesIn('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
  return pids.flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return parent > 0 ? [{ pid, parent }] : [];
  });
}

function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Nothing of a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
