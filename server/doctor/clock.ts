import { spawnSync } from 'node:child_process';
import pg from 'pg';
import type { Config } from '#server/config/config.ts';
import { servesThisMachineAlone } from '#server/lib/this-machine.ts';
import type { Finding } from './finding.ts';

const answerMs = 5000;
/** A header has whole seconds, and takes a moment to come. */
const usualSeconds = 5;
/** One step of the codes that an authenticator shows (RFC 6238): beyond it people are refused. */
const wrongSeconds = 30;

/**
 * The clock, by which sign-ins, links and codes begin and end: held against those of the database and of the proxy
 * where they are on other machines, and else by what the system says of it.
 */
export async function examineClock(
  config: Pick<Config, 'databaseUrl' | 'host' | 'publicUrl'>,
  now: () => number = Date.now,
): Promise<Finding[]> {
  // Held against ours as it comes: the other one may not answer, which takes seconds.
  const secondsFrom = (time: number) => Math.abs(now() - time) / 1000;
  const found = await Promise.all([fromDatabase(config, secondsFrom), fromProxy(config, secondsFrom)]);
  const apart = found.filter((seconds) => seconds !== null);
  if (apart.length === 0) return [bySystem()];
  return [findingOf(Math.max(...apart))];
}

function findingOf(seconds: number): Finding {
  const about = 'Clock';
  const todo = 'Keep the clocks of all machines by NTP.';
  const says = `It is ${seconds.toFixed(0)} seconds away from that of another machine of the service.`;
  if (seconds > wrongSeconds) return { about, state: 'wrong', says: `${says} Codes of a second factor fail.`, todo };
  if (seconds > usualSeconds) return { about, state: 'notice', says, todo };
  return { about, state: 'right', says: 'It agrees with the other machines.' };
}

async function fromDatabase(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  secondsFrom: (time: number) => number,
): Promise<number | null> {
  if (databaseUrl === undefined) return null;
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: answerMs });
  try {
    await client.connect();
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    return rows[0] ? secondsFrom(rows[0].now.getTime()) : null;
  } catch {
    // Told with the database.
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}

async function fromProxy(
  config: Pick<Config, 'host' | 'publicUrl'>,
  secondsFrom: (time: number) => number,
): Promise<number | null> {
  if (servesThisMachineAlone(config)) return null;
  const options = { redirect: 'manual', signal: AbortSignal.timeout(answerMs) } as const;
  // Told with the address.
  const answer = await fetch(new URL('/healthz', config.publicUrl), options).catch(() => null);
  const time = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(time) ? null : secondsFrom(time);
}

function bySystem(): Finding {
  const about = 'Clock';
  const { stdout } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
    timeout: answerMs,
  });
  const said = stdout?.trim();
  if (said === 'yes') return { about, state: 'right', says: 'The system keeps it by NTP.' };
  if (said === 'no')
    return { about, state: 'notice', says: 'Nothing keeps it right.', todo: 'Have the system keep it by NTP.' };
  return { about, state: 'unknown', says: 'There is nothing here to compare it with.' };
}
