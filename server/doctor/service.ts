import type { Config } from '#server/config/config.ts';
import type { Finding } from './finding.ts';

const answerMs = 5000;

/** Whether the service runs on this machine, and can serve. */
export async function examineService({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding[]> {
  const about = 'Service';
  const anywhere = host === '0.0.0.0' || host === '::';
  const address = `http://${anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(answerMs) }).catch(() => null);
  if (answer === null)
    return [{ about, state: 'unknown', says: `It does not run here: nothing answers at ${address}.` }];
  if (answer.ok) return [{ about, state: 'right', says: 'It runs, and can serve.' }];
  const says =
    answer.status === 503
      ? 'It runs, and cannot serve.'
      : `${address} answers with ${answer.status}: is it another program?`;
  return [{ about, state: 'wrong', says, todo: 'Its log says why.' }];
}
