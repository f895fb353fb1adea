/**
 * `npm run crash [-- --times 200 --seed N --processes 3 --write]`: kills the product, its parsers and its database
 * (`kill -9`) at random moments while people sign up, upload, replace, delete and ask, and looks after each time
 * whether every promise was kept. It is one process with its own database; with `--processes` as many web processes and
 * one worker as that makes, behind a proxy, with a database and a payment provider beside them: the rest serve while
 * one is killed, or asked to stop. The seed repeats what is done and what is killed; how far each has got by then is
 * the machine's own. Exit code 1 when a promise was broken. `--write` keeps the figures in bench/RESULTS.md.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { createClient, forPrograms } from '#client/client.ts';
import { startAlone } from './alone.ts';
import { answersBroken, countsBroken } from './asking.ts';
import { createLedger } from './ledger.ts';
import { age, leftAfterADay, leftovers } from './leftovers.ts';
import { startPaymentProvider } from './paying.ts';
import { createRandom } from './random.ts';
import { writeResults } from './results.ts';
import { startSeveral } from './several.ts';
import { type Storm, startStorm } from './storm.ts';
import { type SurveyOptions, survey } from './survey.ts';
import { Violation } from './violation.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '200' },
    seed: { type: 'string' },
    processes: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const processes = Number(values.processes);
if (![times, seed, processes].every(Number.isInteger) || times < 1 || processes < 1) {
  console.error('usage: npm run crash -- [--times N] [--seed N] [--processes N] [--write]');
  process.exit(2);
}

/**
 * A killed server's jobs are taken back at once where it is alone; else, and where they lost their database, some wait
 * until their heartbeat is missed.
 */
const readMs = 180_000;
const readSoonMs = processes === 1 ? 15_000 : 3000;
/** With several processes people go on through so many kills until everything is looked at. */
const lookEvery = processes === 1 ? 1 : 5;
/** And everything under way is waited for after so many. */
const strictEvery = 25;
/** Where several start on one machine there has to be room for it. */
const crowd = processes === 1 ? { atOnce: 5, thinkMs: 0 } : { atOnce: 3, thinkMs: 200 };
/** What seals events and counts questions runs every few seconds. */
const sealMs = 15_000;
const settings = {
  ...forPrograms,
  SIGNUPS_PER_HOUR: '1000000',
  SIGN_INS_PER_ADDRESS: '1000000',
  SIGN_INS_PER_ACCOUNT: '1000000',
};

const random = createRandom(seed);
const ledger = createLedger();
const began = performance.now();
let violations = 0;
/** People at work; null while everything is looked at. */
const people: { storm: Storm | null } = { storm: null };
const provider = processes > 1 ? await startPaymentProvider() : null;
const subject = provider
  ? await startSeveral(random, processes, { ...settings, ...provider.settings }, provider.deliverTo)
  : await startAlone(random, settings);
const look = (options: Pick<SurveyOptions, 'timeoutMs' | 'strict' | 'all'>) =>
  survey(subject.url, ledger, { ...options, random });
const everything = { timeoutMs: 300_000, strict: true, all: true };
let takenBack = 0;
let answered = { given: 0, unseen: 0 };
console.log(`seed ${seed}: ${times} kills of ${processes} process${processes === 1 ? '' : 'es'}`);
try {
  for (let number = 1; number <= times; number++) {
    await killOnce(number);
    if (violations > 50) break;
  }
  await paidFor('at the end');
  report('at the end', await look(everything));
  report('at the end', await leftovers(subject, { copies: processes === 1 }));
  report('at the end', await once());
  takenBack = await jobsTakenBack();
  await age(subject);
  await subject.restart();
  report('a day later', await leftAfterADay(subject));
  report('a day later', await leftovers(subject, { copies: true }));
  report('a day later', await look({ ...everything, timeoutMs: readMs }));
  report('a day later', await answersKept());
  report('stopped', await subject.stop());
} finally {
  await people.storm?.stop();
  await subject.clear();
  await provider?.close();
}
const minutes = (performance.now() - began) / 60_000;
console.log(`killed: ${counted(subject.kills)}`);
console.log(`done: ${counted(ledger.counts)}`);
console.log(
  `${takenBack} jobs taken back; ${answered.given} answers given, ${answered.unseen} stored whose answer was cut`,
);
console.log(`${violations} promises broken (seed ${seed}, ${minutes.toFixed(0)} min)`);
if (values.write) {
  const what = { times, processes, seed, minutes, violations, takenBack, ...answered };
  writeResults(join(import.meta.dirname, '..', 'bench', 'RESULTS.md'), what, {
    kills: counted(subject.kills),
    done: counted(ledger.counts),
  });
}
process.exitCode = violations === 0 ? 0 : 1;

async function killOnce(number: number): Promise<void> {
  const pay = provider?.pay ?? null;
  people.storm ??= startStorm({ url: subject.url, ledger, random, pay, ...crowd }, (violation) =>
    report(`by ${number}`, [violation]),
  );
  const { storm } = people;
  const afterMs = random.between(50, 2500);
  await wait(afterMs);
  const { victim, isStrict, recover, whole } = await subject.strike();
  const when = `after ${number} (${victim})`;
  const killed = performance.now();
  await recover(storm);
  const back = performance.now() - killed;
  const isLookedAt = number % lookEvery === 0 || number === times;
  const strict = isStrict || (processes > 1 && number % strictEvery === 0);
  const comesBack = async () =>
    whole().catch((error: unknown) => {
      if (!(error instanceof Violation)) throw error;
      report(when, [error.message]);
    });
  if (strict || !isLookedAt) await comesBack();
  const wholeAgain = performance.now() - killed;
  let looked = '';
  if (isLookedAt) {
    await storm.stop();
    people.storm = null;
    if (strict) await paidFor(when);
    // Else while some of it is still away.
    const found = await look({ timeoutMs: strict ? readMs : readSoonMs, strict, all: false });
    if (strict) found.push(...(await leftovers(subject, { copies: processes === 1 })));
    await comesBack();
    report(when, [...found, ...(await answersKept())]);
    const files = ledger.slots.filter(({ possible: [now] }) => now).length;
    looked = `, checked in ${seconds(performance.now() - killed - back)}: ${files} files, ${ledger.accounts.length} companies`;
  }
  const took = `after ${afterMs} ms, serves in ${seconds(back)}, whole in ${seconds(wholeAgain)}`;
  console.log(`${String(number).padStart(3)} ${victim.padEnd(10)} ${took}${looked}`);
}

/** What was paid for is open; before anybody asks for what has to be paid. */
async function paidFor(when: string): Promise<void> {
  if (provider) report(when, await provider.broken(subject.url, ledger.accounts));
}

async function answersKept(): Promise<string[]> {
  const { broken, ...rest } = await answersBroken(ledger, subject);
  answered = rest;
  return broken;
}

/** What has to be done once in all: the counts of questions, and the places of events in the audit logs. */
async function once(): Promise<string[]> {
  const busy = ledger.accounts.filter((account) => account.busy && account.companyId);
  const counts = await Promise.all(
    busy.map((account) => countsBroken(account, createClient(subject.url, account.idToken), subject)),
  );
  await wait(sealMs);
  const env = { PATH: process.env.PATH ?? '', ...subject.env };
  const audit = await promisify(execFile)(process.execPath, ['scripts/audit.ts', 'verify'], { env }).then(
    () => [],
    ({ stdout, stderr }) => [`the audit logs are not whole: ${stdout}${stderr}`],
  );
  return [...counts.flat(), ...audit];
}

async function jobsTakenBack(): Promise<number> {
  const [row] = await subject.query('select count(*)::int as jobs from pgboss.job where retry_count > 0');
  return Number(row?.jobs);
}

function report(when: string, found: string[]): void {
  violations += found.length;
  for (const each of found) console.log(`  BROKEN ${when}: ${each}`);
}

function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
