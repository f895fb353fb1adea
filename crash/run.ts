/**
 * `npm run crash [-- --times 200 --seed N]`: kills the server, its parsers and its database (`kill -9`) at random
 * moments while people sign up, upload, replace, delete and ask, and looks after each time whether every promise was
 * kept. The seed repeats what is done and what is killed; how far each has got by then is the machine's own. Exit code
 * 1 when a promise was broken.
 */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { forPrograms } from '#client/client.ts';
import { allEnded, databaseIn, makePlace, processesIn, startServerProcess } from '#server/testing/server-process.ts';
import { createLedger } from './ledger.ts';
import { age, leftAfterADay, leftovers } from './leftovers.ts';
import { createRandom } from './random.ts';
import { startStorm } from './storm.ts';
import { databaseProcesses, strike, strikeAtStart, type Victim } from './strike.ts';
import { survey } from './survey.ts';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '200' }, seed: { type: 'string' } },
});
const times = Number(values.times);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
if (!Number.isInteger(times) || times < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run crash -- [--times N] [--seed N]');
  process.exit(2);
}

/** Until what was killed has ended, and the database is back. */
const backMs = 120_000;
/**
 * A killed server's jobs are taken back at once; of those that lost their database some wait until their heartbeat is
 * missed.
 */
const readMs = 180_000;
const readSoonMs = 15_000;
const settings = {
  ...forPrograms,
  SIGNUPS_PER_HOUR: '1000000',
  SIGN_INS_PER_ADDRESS: '1000000',
  SIGN_INS_PER_ACCOUNT: '1000000',
};

const random = createRandom(seed);
const ledger = createLedger();
const place = await makePlace();
const kills: Record<Victim | 'start', number> = { server: 0, parser: 0, database: 0, connection: 0, start: 0 };
const socketFolders = new Set<string>();
const began = performance.now();
let violations = 0;
let server = await startServerProcess(place, settings);
console.log(`seed ${seed}: ${times} kills`);
try {
  for (let number = 1; number <= times; number++) {
    await killOnce(number);
    if (violations > 50) break;
  }
  report('at the end', await survey(server.url, ledger, { timeoutMs: 300_000, strict: true, all: true, random }));
  report('at the end', await leftovers(place, server));
  await age(place, server);
  await restart(() => server.stop());
  report('a day later', await leftAfterADay(place, server));
  report('a day later', await survey(server.url, ledger, { timeoutMs: readMs, strict: true, all: true, random }));
  await server.stop();
  await withinBack(allEnded(place), 'not everything ended with the server');
  report(
    'stopped',
    [...socketFolders].filter((folder) => existsSync(folder)).map((folder) => `${folder} is left`),
  );
} finally {
  for (const { pid } of await processesIn(place)) process.kill(pid, 'SIGKILL');
  await allEnded(place);
  await place.remove();
}
const counted = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
console.log(`killed: ${counted(kills)}`);
console.log(`done: ${counted(ledger.counts)}`);
console.log(`${violations} promises broken (seed ${seed}, ${((performance.now() - began) / 60_000).toFixed(0)} min)`);
process.exitCode = violations === 0 ? 0 : 1;

async function killOnce(number: number): Promise<void> {
  const storm = startStorm(server.url, ledger, random, (violation) => report(`during ${number}`, [violation]));
  const afterMs = random.between(50, 2500);
  await wait(afterMs);
  const { sockets, pid } = await databaseIn(place);
  socketFolders.add(sockets);
  const processes = await databaseProcesses(place);
  const victim = await strike(place, server.pid, random);
  kills[victim]++;
  const killed = performance.now();
  if (victim === 'server') {
    await server.ended;
    await storm.stop();
    await restart(async () => {});
  } else {
    if (victim === 'database') await withinBack(databaseIsBack(pid), 'the database did not come back');
    // Until they have ended, the server may well seem ready.
    if (victim === 'connection') await withinBack(haveEnded(processes), 'the database went on without one of its own');
    await withinBack(isReady(), 'the server was not ready again');
    await storm.stop();
  }
  const back = performance.now() - killed;
  const strict = victim === 'server' || victim === 'parser';
  const found = await survey(server.url, ledger, {
    timeoutMs: strict ? readMs : readSoonMs,
    strict,
    all: false,
    random,
  });
  if (strict) found.push(...(await leftovers(place, server)));
  const files = ledger.slots.filter(({ possible: [now] }) => now).length;
  const checked = performance.now() - killed - back;
  const took = `after ${afterMs} ms, back in ${seconds(back)}, checked in ${seconds(checked)}`;
  console.log(
    `${String(number).padStart(3)} ${victim.padEnd(10)} ${took}: ${files} files, ${ledger.accounts.length} companies`,
  );
  report(`after ${number} (${victim})`, found);
}

/** Starts the server again, sometimes only after it was killed once more while it started. */
async function restart(stop: () => Promise<void>): Promise<void> {
  await stop();
  await withinBack(allEnded(place), 'not everything ended with the server');
  if (random.next() < 0.2) {
    const starting = startServerProcess(place, settings).then(
      (started) => started.kill(),
      () => {},
    );
    await strikeAtStart(place, random.between(50, 1500));
    await starting;
    kills.start++;
    await withinBack(allEnded(place), 'not everything ended with the server');
  }
  server = await startServerProcess(place, settings);
}

async function databaseIsBack(oldPid: number): Promise<void> {
  while (((await databaseIn(place).catch(() => null))?.pid ?? oldPid) === oldPid) await wait(50);
}

async function haveEnded(processes: number[]): Promise<void> {
  while ((await databaseProcesses(place)).some((pid) => processes.includes(pid))) await wait(50);
}

async function isReady(): Promise<void> {
  while (
    !(await fetch(`${server.url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    ))
  )
    await wait(50);
}

async function withinBack(work: Promise<void>, otherwise: string): Promise<void> {
  const isDone = await Promise.race([work.then(() => true), wait(backMs, false, { ref: false })]);
  if (!isDone) throw new Error(otherwise);
}

function report(when: string, found: string[]): void {
  violations += found.length;
  for (const each of found) console.log(`  BROKEN ${when}: ${each}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
