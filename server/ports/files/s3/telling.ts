import { AppError } from '#contract/errors.ts';
import { FileAbsent } from '../port.ts';
import { codeOf, statusOf } from './explain.ts';

/** What the network, the time limits and the search for keys fail with. */
const unreached =
  /^(E(CONN|NOTFOUND|AI_|HOSTUN|NETUN|TIMEDOUT|PIPE|PROTO)\w*|\w*CERT\w*|UNABLE_TO_\w+|TimeoutError|CredentialsProviderError)$/;

export type Telling = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs work with the store and puts its failures in the words of the port.
 * @param log told once that the store fails, and once that it answers again
 */
export function createTelling(log?: Record<'warn' | 'info', (details: object, message: string) => void>): Telling {
  let isDown = false;

  return async (key, work) => {
    try {
      const done = await work();
      if (isDown) log?.info({}, 'the file store answers again');
      isDown = false;
      return done;
    } catch (cause) {
      const error = inWordsOfPort(cause, key);
      if (error instanceof AppError && error.code === 'unavailable' && !isDown) {
        isDown = true;
        // Neither the request nor the whole answer: there are keys and names in them.
        const message = cause instanceof Error ? cause.message : '';
        log?.warn({ code: codeOf(cause), status: statusOf(cause), message }, 'the file store fails');
      }
      throw error;
    }
  };
}

function inWordsOfPort(cause: unknown, key: string): unknown {
  if (cause instanceof AppError || cause instanceof FileAbsent) return cause;
  const code = codeOf(cause);
  const status = statusOf(cause);
  if (code === 'NoSuchKey' || code === 'NotFound') return new FileAbsent(key);
  if (code === 'QuotaExceeded' || status === 507) return new AppError('storage-full', { cause });
  return status !== undefined || unreached.test(code) ? new AppError('unavailable', { cause }) : cause;
}
