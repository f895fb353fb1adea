import { readFileSync } from 'node:fs';

/**
 * The users that the processes of a service started by root run as. None of them has an account: the numbers lie where
 * neither Linux distributions nor systemd give any out (60706 to 61183), and below 65536, where a container may end.
 */
export const postgresUid = 60_706;

/** One for each parser that runs at a time. */
export const parserUids = { first: 60_720, count: 400 } as const;

let others: boolean | undefined;

/**
 * Whether we may start processes as these users: as root, unless of a user namespace that has none but root, as
 * containers without an administrator may have.
 */
export function canBeOthers(): boolean {
  others ??= process.getuid?.() === 0 && ['uid_map', 'gid_map'].every(hasOurUsers) && groupsCanBeSet();
  return others;
}

/** @param map of a process: lines of the first number inside, the first outside, and how many (user_namespaces(7)) */
function hasOurUsers(map: string): boolean {
  const ranges = readProc(map)?.trim().split('\n') ?? [];
  const wanted = [postgresUid, parserUids.first, parserUids.first + parserUids.count - 1];
  // Where there is nothing to read, there are no user namespaces.
  if (ranges.length === 0) return true;
  return wanted.every((uid) =>
    ranges.some((range) => {
      const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
      return uid >= first && uid < first + count;
    }),
  );
}

function groupsCanBeSet(): boolean {
  return readProc('setgroups')?.trim() !== 'deny';
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/self/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
