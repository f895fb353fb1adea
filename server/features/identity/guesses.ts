import { createHash } from 'node:crypto';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { createDevices } from './sessions/devices.ts';
import type { Place } from './sessions/session-records.ts';

/** Where a call comes from. */
export interface Origin extends Place {
  /** The browser's mark, where it has one. */
  device: string | undefined;
}

const windowSeconds = 900;

/**
 * Bounds the guesses at a password. A browser that the account's owner has used before counts for itself alone, so that
 * nobody else can use its budget up. All other browsers share the account's budget, of which one address may use half.
 */
export function createGuesses(deps: {
  limits: Limits;
  devices: ReturnType<typeof createDevices>;
  rates: Pick<Config['rates'], 'signInsPerAddress' | 'signInsPerAccount'>;
}) {
  const { limits, devices, rates } = deps;
  const half = Math.ceil(rates.signInsPerAccount / 2);

  return {
    /**
     * Counts a guess before it is checked.
     * @returns what to call when the guess was right: it then does not count.
     * @throws AppError `too-many-requests`.
     */
    async count(email: string, { ip, device }: Origin): Promise<() => Promise<void>> {
      const known = devices.idOf(email, device);
      if (known !== null) {
        const key = `sign-in:device:${known}`;
        await limits.take(key, half, windowSeconds);
        return () => limits.giveBack(key);
      }
      const address = addressKey(ip);
      await limits.take(`sign-in:address:${address}`, rates.signInsPerAddress, windowSeconds);
      const account = accountKey(email);
      const keys = [`sign-in:pair:${account}:${address}`, `sign-in:account:${account}`] as const;
      await limits.take(keys[0], half, windowSeconds);
      await limits.take(keys[1], rates.signInsPerAccount, windowSeconds);
      return async () => {
        for (const key of keys) await limits.giveBack(key);
      };
    },
  };
}

/** A hash, so that the table of limits holds no addresses of people. */
export function accountKey(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
