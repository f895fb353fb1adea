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
/** Who may wait for a turn: some 3 seconds' work. */
const mostWaiting = 100;

/** argon2id, a bounded number at a time. @throws AppError `too-many-requests` when too many are waiting already. */
export async function openPasswords() {
  // Checked where there is no hash: skipping the work would tell so by the time taken.
  const hashOfNobody = await hash(randomBytes(32), cost);
  const inTurn = turns(atOnce, mostWaiting);

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(password, cost)),

    /** @param stored null: nothing matches, in the same time. */
    async matches(password: string, stored: string | null): Promise<boolean> {
      const right = await inTurn(() => verify(stored ?? hashOfNobody, password));
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

/** Runs at most `most` at once, the others in the order in which they came. */
export function turns(most: number, mostInLine: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) {
      if (line.length >= mostInLine) throw new AppError('too-many-requests', { details: { retryAfterSeconds: 5 } });
      const turn = Promise.withResolvers<void>();
      line.push(turn.resolve);
      // Whoever ends passes its own place on.
      await turn.promise;
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
