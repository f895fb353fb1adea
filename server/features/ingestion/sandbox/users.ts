import { once } from 'node:events';
import { createServer } from 'node:net';
import { parserUids } from '#server/lib/system-users.ts';

/** A user that is one process's alone, until it is given back. */
export interface ParserUser {
  uid: number;
  release(): void;
}

const taken = new Set<number>();

/**
 * Finds a user as whom nothing else runs. An abstract socket that bears its number keeps it from every other Footnote
 * on this machine, and falls with its process, however that ends.
 * @throws Error where there is none left
 */
export async function takeUser(): Promise<ParserUser> {
  const { first, count } = parserUids;
  let spare: number | undefined;
  for (let offset = 0; offset < count; offset++) {
    // Each process begins elsewhere, so that most find one at once.
    const uid = first + ((process.pid + offset) % count);
    if (taken.has(uid)) continue;
    spare ??= uid;
    taken.add(uid);
    const lock = createServer((connection) => connection.destroy());
    lock.unref();
    try {
      lock.listen(`\0footnote-parser-${uid}`);
      await once(lock, 'listening');
      return userOf(uid, () => lock.close());
    } catch {
      taken.delete(uid);
    }
  }
  // Whoever holds all the names can't be a Footnote, and must not hold up this one.
  if (spare === undefined || taken.has(spare)) throw new Error('There is no user left for a parser.');
  taken.add(spare);
  return userOf(spare, () => {});
}

function userOf(uid: number, unlock: () => void): ParserUser {
  let isReleased = false;
  return {
    uid,
    release() {
      if (isReleased) return;
      isReleased = true;
      unlock();
      taken.delete(uid);
    },
  };
}
