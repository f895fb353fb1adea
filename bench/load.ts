import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type Client, createClient, forPrograms } from '#client/client.ts';
import { openDatabase } from '#server/db/db.ts';
import { startPostgres } from '#server/db/postgres/launcher.ts';
import { goodPassword, insertUser } from '#server/testing/factories.ts';
import { startApp } from '../e2e/app.ts';
import { megabytes, milliseconds, percentile, type Row } from './figures.ts';
import { memoryOf } from './observed.ts';
import { lcg } from './vocabulary.ts';

/** `BENCH_MINUTES` for a quick look. */
const minutes = Number(process.env.BENCH_MINUTES ?? 30);
const companies = 10;
const peopleEach = 20;
/** Within which they come in, in milliseconds. */
const comingMs = 60_000;
/** What passes on average between an answer and the next thing that a person does, in milliseconds. */
const thinkingMs = 5000;
const samples = join(import.meta.dirname, '..', 'samples', 'files');

interface Person {
  client: Client;
  isAdmin: boolean;
  random: () => number;
}

type Deed = (person: Person) => Promise<unknown>;

/** What people do, each as often as it stands here for a hundred deeds; who is no admin asks instead of managing. */
const deeds: Record<string, { often: number; do: Deed }> = {
  ask: { often: 35, do: ({ client, random }) => client.call('query', { history: asked(random) }) },
  stream: { often: 20, do: ({ client, random }) => client.stream('query', { history: asked(random) }, () => {}) },
  list: { often: 15, do: ({ client }) => client.call('getCompanyFiles', null) },
  open: { often: 10, do: openOriginal },
  search: { often: 10, do: ({ client, random }) => client.call('searchPassages', { query: questionOf(random) }) },
  upload: { often: 2, do: uploadNote },
  manage: { often: 8, do: manage },
};

/** Two hundred people of ten companies at once, for half an hour: asking, reading, uploading, managing. */
export async function measureLoad(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(dataDir, 0o755);
  try {
    const people = await fill(dataDir);
    const app = await startApp({ DATA_DIR: dataDir, ...forPrograms });
    try {
      const signedIn: Person[] = [];
      for (const [i, { email, password, isAdmin }] of people.entries()) {
        const { idToken } = await createClient(app.url).call('signIn', { email, password });
        signedIn.push({ client: createClient(app.url, idToken), isAdmin, random: lcg(i + 1) });
      }
      return await measure(signedIn, () => memoryOf(app));
    } finally {
      await app.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Companies with what a newcomer finds in `samples/`, and their people. */
async function fill(dataDir: string): Promise<{ email: string; password: string; isAdmin: boolean }[]> {
  const names = await readdir(samples);
  const first = await startApp({ DATA_DIR: dataDir, ...forPrograms });
  const admins: { email: string; password: string; companyId: string }[] = [];
  try {
    for (let i = 0; i < companies; i++) {
      const who = { email: `admin-${i}@nordwind.example`, password: goodPassword };
      const { user, idToken } = await createClient(first.url).call('signUp', { companyName: `Bench ${i}`, ...who });
      const client = createClient(first.url, idToken);
      for (const name of names) await client.upload(name, await readFile(join(samples, name)));
      await client.filesWhenRead();
      admins.push({ ...who, companyId: user.companyId });
    }
  } finally {
    await first.stop();
  }
  const log = pino({ level: 'warn' });
  const postgres = await startPostgres({ dataDir, log });
  const db = await openDatabase(postgres.connection, { name: 'bench', log });
  try {
    const people = [];
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
    await postgres.stop();
  }
}

async function measure(people: readonly Person[], memory: () => number): Promise<Row[]> {
  const took: Record<string, number[]> = Object.fromEntries(Object.keys(deeds).map((name) => [name, []]));
  const problems = new Map<string, number>();
  const memories: number[] = [];
  const watching: Promise<void>[] = [];
  const until = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() >= until;
  const failed = (name: string) => (error: unknown) => {
    problems.set(`${name}: ${error}`, (problems.get(`${name}: ${error}`) ?? 0) + 1);
  };
  const day = async (person: Person) => {
    await sleep(person.random() * comingMs);
    watching.push(watch(person.client, isOver, failed('watch')));
    while (!isOver()) {
      const { name, deed } = nextDeed(person);
      const started = performance.now();
      await deed(person).then(() => took[name]?.push(performance.now() - started), failed(name));
      await sleep(-Math.log(1 - person.random()) * thinkingMs);
    }
  };
  const looking = setInterval(() => memories.push(memory()), 1000);
  await Promise.all(people.map(day)).finally(() => clearInterval(looking));
  await Promise.all(watching);
  for (const [what, times] of problems) console.error(`${times} times ${what}`);
  return rowsOf(
    took,
    [...problems.values()].reduce((sum, each) => sum + each, 0),
    memories,
  );
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

function rowsOf(took: Record<string, number[]>, failed: number, memories: readonly number[]): Row[] {
  const all = Object.values(took).flat();
  const mean = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0) / Math.max(1, some.length);
  const tenth = Math.ceil(memories.length / 10);
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
    ...Object.entries(took).map(
      ([name, times]): Row => [`${name} (${times.length.toLocaleString('en')}), p50, p95, p99`, figures(times), ''],
    ),
    [
      'memory of the server, mean of the first and of the last tenth; most',
      `${megabytes(mean(memories.slice(0, tenth)))}, ${megabytes(mean(memories.slice(-tenth)))}; ${megabytes(Math.max(...memories))}`,
      'flat',
    ],
  ];
}

function nextDeed({ random, isAdmin }: Person): { name: string; deed: Deed } {
  let left = random() * 100;
  for (const [name, { often, do: deed }] of Object.entries(deeds)) {
    left -= often;
    if (left < 0 && (isAdmin || (name !== 'manage' && name !== 'upload'))) return { name, deed };
  }
  return { name: 'ask', deed: deeds.ask?.do ?? (async () => {}) };
}

const questions = [
  'How much may a hotel in Berlin cost per night?',
  'Within how many days must receipts be handed in?',
  'Who may approve leave?',
  'What does a scanner cost?',
  'How do I reset a warehouse scanner?',
  'Which documents does the customs office want to see?',
  'How long must a password be?',
  'Wann beginnt die Kernarbeitszeit?',
  'Who waters the plants on Mars?',
];

function questionOf(random: () => number): string {
  return questions[Math.floor(random() * questions.length)] ?? '';
}

function asked(random: () => number) {
  return [{ role: 'user' as const, parts: [{ text: questionOf(random) }] }];
}

/** The document of a passage as its reader opens it: the link, and all of the file. */
async function openOriginal({ client, random }: Person): Promise<void> {
  const files = await client.call('getCompanyFiles', null);
  const file = files[Math.floor(random() * files.length)];
  if (!file) throw new Error('there is no file');
  const { url } = await client.call('getFileLink', { gsUri: `gs://${file.bucket}/${file.path}` });
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`the original: ${reply.status}`);
  await reply.arrayBuffer();
}

/** One of a hundred notes, replaced again and again. */
async function uploadNote({ client, random }: Person): Promise<void> {
  const n = Math.floor(random() * 100);
  const text = `Note ${n}. The crane of quay ${n} lifts ${Math.floor(random() * 90) + 10} tons.\n\n`.repeat(40);
  await client.upload(`Note ${n}.txt`, Buffer.from(text));
}

async function manage({ client, random }: Person): Promise<unknown> {
  const day = new Date().toISOString().slice(0, 10);
  const looks = [
    () => client.call('getAnalytics', { from: day, to: day }),
    () => client.call('getAuditLog', {}),
    () => client.call('listUsers', null),
  ];
  return looks[Math.floor(random() * looks.length)]?.();
}
