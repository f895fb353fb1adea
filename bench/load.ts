import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { type Client, createClient, forPrograms } from '#client/client.ts';
import { openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { goodPassword, insertUser } from '#server/testing/factories.ts';
import { startApp } from '../e2e/app.ts';
import { deeds, nextDeed, type Person } from './deeds.ts';
import { megabytes, milliseconds, percentile, type Row } from './figures.ts';
import { memoryOf } from './observed.ts';
import { type Bearer, lastingClient, staySignedIn } from './signed-in.ts';
import { lcg } from './vocabulary.ts';

/** `BENCH_MINUTES` and `BENCH_COMPANIES` for a quick look. */
export const minutes = Number(process.env.BENCH_MINUTES ?? 30);
const companies = Number(process.env.BENCH_COMPANIES ?? 10);
const peopleEach = 20;
/** Within which they come in, in milliseconds. */
const comingMs = 60_000;
/** What passes on average between an answer and the next thing that a person does, in milliseconds. */
const thinkingMs = 5000;
/** How often it looks how late it is itself, in milliseconds. */
const lookMs = 10;
const samples = join(import.meta.dirname, '..', 'samples', 'files');

export interface Login {
  email: string;
  password: string;
  isAdmin: boolean;
}

/** What was measured: how long deeds took, in milliseconds, by their names, and how many have failed. */
export interface Measured {
  took: Record<string, number[]>;
  /** The same of all together, by the minute in which they ended. */
  byMinute: number[][];
  failed: number;
  /** By how much the measuring process itself was late, in milliseconds: as much of what was measured is its own. */
  ownDelay: { p50: number; p95: number; p99: number };
}

/** Two hundred people of ten companies at once, for half an hour: asking, reading, uploading, managing. */
export async function measureLoad(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(dataDir, 0o755);
  try {
    const people = await fill(dataDir);
    const app = await startApp({ DATA_DIR: dataDir, ...forPrograms });
    try {
      const signedIn = await signIn(app.url, people, (bearer) => ({ client: lastingClient(app.url, bearer) }));
      const memory = watchMemory(() => memoryOf(app));
      const measured = await measure(signedIn);
      return [...rowsOf(measured), memoryRow('memory of the server', memory.end())];
    } finally {
      await app.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string): Promise<Login[]> {
  const first = await startApp({ DATA_DIR: dataDir, ...forPrograms });
  const admins = await fillCompanies(first.url).finally(() => first.stop());
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  try {
    return await addPeople(postgres.connection, admins);
  } finally {
    await postgres.stop();
  }
}

/** The first of a company. */
interface Admin {
  email: string;
  password: string;
  companyId: string;
}

/** Companies with what a newcomer finds in `samples/`. */
export async function fillCompanies(url: string): Promise<Admin[]> {
  const names = await readdir(samples);
  const admins: Admin[] = [];
  for (let i = 0; i < companies; i++) {
    const who = { email: `admin-${i}@nordwind.example`, password: goodPassword };
    const { user, idToken } = await createClient(url).call('signUp', { companyName: `Bench ${i}`, ...who });
    const client = createClient(url, idToken);
    for (const name of names) await client.upload(name, await readFile(join(samples, name)));
    await client.filesWhenRead();
    admins.push({ ...who, companyId: user.companyId });
  }
  return admins;
}

/** Gives each company the rest of its people. */
export async function addPeople(connection: pg.PoolConfig, admins: readonly Admin[]): Promise<Login[]> {
  const db = await openDatabase(connection, { name: 'bench', log: pino({ level: 'warn' }) });
  try {
    const people: Login[] = [];
    for (const { email, password, companyId } of admins) {
      people.push({ email, password, isAdmin: true });
      for (let i = 1; i < peopleEach; i++) {
        const member = await insertUser(db, companyId);
        people.push({ email: member.email, password: goodPassword, isAdmin: false });
      }
    }
    return people;
  } finally {
    await db.close();
  }
}

export async function signIn(
  url: string,
  people: readonly Login[],
  make: (bearer: Bearer) => Pick<Person, 'client' | 'open'>,
): Promise<Person[]> {
  const signedIn: Person[] = [];
  for (const [i, { email, password, isAdmin }] of people.entries()) {
    const bearer = staySignedIn(url, { email, password });
    await bearer();
    signedIn.push({ ...make(bearer), isAdmin, random: lcg(i + 1) });
  }
  return signedIn;
}

/** Looks once a second. @param look bytes */
export function watchMemory(look: () => number): { end(): number[] } {
  const memories: number[] = [];
  const looking = setInterval(() => memories.push(look()), 1000);
  return {
    end() {
      clearInterval(looking);
      return memories;
    },
  };
}

/** The day of all of them, until its time is over. */
export async function measure(people: readonly Person[]): Promise<Measured> {
  const took: Record<string, number[]> = Object.fromEntries(Object.keys(deeds).map((name) => [name, []]));
  const problems = new Map<string, number>();
  const watching: Promise<void>[] = [];
  const byMinute: number[][] = [];
  const began = performance.now();
  const until = began + minutes * 60_000;
  const isOver = () => performance.now() >= until;
  const failed = (name: string) => (error: unknown) => {
    problems.set(`${name}: ${error}`, (problems.get(`${name}: ${error}`) ?? 0) + 1);
  };
  const done = (name: string, started: number) => {
    const now = performance.now();
    took[name]?.push(now - started);
    const minute = Math.floor((now - began) / 60_000);
    byMinute[minute] ??= [];
    byMinute[minute].push(now - started);
  };
  const day = async (person: Person) => {
    await sleep(person.random() * comingMs);
    watching.push(watch(person.client, isOver, failed('watch')));
    while (!isOver()) {
      const { name, deed } = nextDeed(person);
      const started = performance.now();
      await deed(person).then(() => done(name, started), failed(name));
      await sleep(-Math.log(1 - person.random()) * thinkingMs);
    }
  };
  const delay = monitorEventLoopDelay({ resolution: lookMs });
  delay.enable();
  await Promise.all(people.map(day));
  delay.disable();
  await Promise.all(watching);
  for (const [what, times] of problems) console.error(`${times} times ${what}`);
  // What it tells includes the interval at which it looks.
  const late = (share: number) => Math.max(0, delay.percentile(share) / 1e6 - lookMs);
  const ownDelay = { p50: late(50), p95: late(95), p99: late(99) };
  return { took, byMinute, failed: [...problems.values()].reduce((sum, each) => sum + each, 0), ownDelay };
}

/** As the app does that is open: a stream, which the server ends every minute, and which goes on where it was. */
async function watch(client: Client, isOver: () => boolean, failed: (error: unknown) => void): Promise<void> {
  let since: string | undefined;
  while (!isOver()) {
    const input = since === undefined ? null : { since };
    const told = client.stream('watchFiles', input, (message) => {
      if ('cursor' in message) since = message.cursor ?? since;
    });
    await told.catch(async (error: unknown) => {
      failed(error);
      await sleep(thinkingMs);
    });
  }
}

/** By quarters, so that a rise that ends can be told from one that goes on. */
export function memoryRow(what: string, memories: readonly number[]): Row {
  const mean = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0) / Math.max(1, some.length);
  const tenth = Math.ceil(memories.length / 10);
  const ends = [1 / 4, 1 / 2, 3 / 4, 1].map((share) => Math.round(memories.length * share));
  const figures = ends.map((end) => megabytes(mean(memories.slice(Math.max(0, end - tenth), end)))).join(', ');
  return [
    `${what} at a quarter, half, three quarters and the end of the time, each the mean of the tenth before it; most`,
    `${figures}; ${megabytes(Math.max(...memories))}`,
    'flat',
  ];
}

export function rowsOf({ took, byMinute, failed, ownDelay }: Measured): Row[] {
  const all = Object.values(took).flat();
  const figures = (times: number[]) =>
    [0.5, 0.95, 0.99].map((share) => milliseconds(percentile(times, share))).join(', ');
  return [
    [
      `people, minutes, requests`,
      `${companies * peopleEach}, ${minutes}, ${all.length.toLocaleString('en')}`,
      '200, 30',
    ],
    ['requests that failed', String(failed), '0'],
    ['all, p50, p95, p99', figures(all), 'p95 300 ms'],
    [
      'of this the measuring process was late by itself, p50, p95, p99',
      [ownDelay.p50, ownDelay.p95, ownDelay.p99].map(milliseconds).join(', '),
      '',
    ],
    ['all, p95 of each minute, in ms', byMinute.map((times) => percentile(times, 0.95).toFixed(0)).join(' '), ''],
    ...Object.entries(took).map(
      ([name, times]): Row => [`${name} (${times.length.toLocaleString('en')}), p50, p95, p99`, figures(times), ''],
    ),
  ];
}
