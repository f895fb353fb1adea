import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#contract/errors.ts';

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. argon2id is the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Hashes made at once. Each takes its memory, and one of the four threads that files and names are read on: a flood of
 * sign-ins must leave some of both.
 */
const atOnce = 2;
/** Who may wait for a turn: some 10 seconds' work in all, a little more than one of it for one address. */
const places = { all: 400, ofOne: 50 };

/** argon2id, a bounded number at a time. @throws AppError `too-many-requests` when too many are waiting already. */
export async function openPasswords() {
  // Checked where there is no hash: skipping the work would tell so by the time taken.
  const hashOfNobody = await hash(randomBytes(32), cost);
  const inTurn = turns(atOnce, places);

  return {
    /** @param from whose share of the work it takes */
    hash: (password: string, from = ''): Promise<string> => inTurn(() => hash(password, cost), from),

    /** @param stored null: nothing matches, in the same time. */
    async matches(password: string, stored: string | null, from = ''): Promise<boolean> {
      const right = await inTurn(() => verify(stored ?? hashOfNobody, password), from);
      return right && stored !== null;
    },
  };
}

/**
 * Whatever the policy above the port says: below, a password is no password, and above, hashing it is an attack.
 * @throws AppError `weak-password`
 */
export function requireLength(password: string): void {
  const length = [...password].length;
  if (length < 12 || length > 128) throw new AppError('weak-password');
}

interface Waiting {
  begin: () => void;
  refuse: (error: AppError) => void;
}

/**
 * Runs at most `most` at once. Those who wait take turns: one of each address, in the order in which the addresses
 * came. One address has `ofOne` places at most, and where all are taken the longest line loses its last one to an
 * address with fewer, so that nobody can keep others out.
 */
export function turns(
  most: number,
  places: { all: number; ofOne: number },
): <T>(work: () => Promise<T>, from: string) => Promise<T> {
  /** By address, whose turn is next first. */
  const lines = new Map<string, Waiting[]>();
  let waiting = 0;
  let running = 0;

  function enter(from: string): Promise<void> {
    const line = lines.get(from) ?? [];
    if (line.length >= places.ofOne) throw tooMany();
    if (waiting >= places.all) {
      const [longest = []] = [...lines.values()].sort((one, other) => other.length - one.length);
      if (longest.length <= line.length + 1) throw tooMany();
      longest.pop()?.refuse(tooMany());
      waiting -= 1;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    line.push({ begin: resolve, refuse: reject });
    lines.set(from, line);
    waiting += 1;
    return promise;
  }

  function next(): Waiting | undefined {
    const [first] = lines;
    if (!first) return undefined;
    const [from, line] = first;
    const chosen = line.shift();
    waiting -= 1;
    lines.delete(from);
    if (line.length > 0) lines.set(from, line);
    return chosen;
  }

  return async (work, from) => {
    // Whoever ends passes its own place on.
    if (running >= most) await enter(from);
    else running += 1;
    try {
      return await work();
    } finally {
      const chosen = next();
      if (chosen) chosen.begin();
      else running -= 1;
    }
  };
}

function tooMany(): AppError {
  return new AppError('too-many-requests', { details: { retryAfterSeconds: 5 } });
}
