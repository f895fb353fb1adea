import { type Client, createClient, forPrograms } from '#client/client.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { goodPassword, insertUser } from '#server/testing/factories.ts';
import { startApp } from '../e2e/app.ts';
import { fillCompany, makeQuestions } from './big-company.ts';
import { person, withCompany } from './company.ts';
import { both, percentile, type Row, seconds, timeOf } from './figures.ts';
import { withStores } from './stores.ts';
import { lcg } from './vocabulary.ts';

/** `BENCH_DOCUMENTS` for a quick look. */
const documents = Number(process.env.BENCH_DOCUMENTS ?? 50_000);
const size = { chunks: documents, seed: 1, chunksEach: 1 };
const collections = 200;
const ofMember = 10;
const rounds = 200;
const lists = 30;
/** Of what is hidden, and of what never was. */
const tries = Number(process.env.BENCH_TRIES ?? 1000);
const probed = 50;

/** What is hidden from the member, with ids that nothing has. */
interface Probes {
  hidden: { id: string; name: string }[];
  absent: { id: string; name: string }[];
}

/** A company of 200 restricted collections: its list and its search for a member of ten of them and for an admin. */
export function measureCollections(): Promise<Row[]> {
  return withCompany(async (dataDir, companyId) => {
    const { email, probes, loadedMs } = await fill(dataDir, companyId);
    const server = await startApp({ DATA_DIR: dataDir, ...forPrograms });
    try {
      const signedIn = async (credentials: { email: string; password: string }) =>
        createClient(server.url, (await createClient(server.url).call('signIn', credentials)).idToken);
      const admin = await signedIn(person);
      const member = await signedIn({ email, password: goodPassword });
      return [
        [
          `${documents.toLocaleString('en')} documents in ${collections} restricted collections loaded`,
          seconds(loadedMs),
          '',
        ],
        ...(await measureLists(member, admin)),
        ...(await measureSearch(member, admin)),
        ...(await measureHiding(member, companyId, probes)),
      ];
    } finally {
      await server.stop();
    }
  });
}

function fill(dataDir: string, companyId: string) {
  return withStores(dataDir, async ({ db, search }) => {
    const started = performance.now();
    const { uid, email } = await insertUser(db, companyId);
    await insertCollections(db, companyId, uid);
    await fillCompany({ db, search, companyId }, size, (n) => collectionId(n % collections));
    const loadedMs = performance.now() - started;
    // As the database does by itself, a while later.
    await db.statement(sql`vacuum analyze`);
    const hidden = await db.statement<{ id: string; name: string }>(sql`
      select id, name from documents where company_id = ${companyId} and collection_id = ${collectionId(collections - 1)}
      order by id limit ${probed}`);
    const random = lcg(99);
    const absent = hidden.map(({ name }) => ({ id: randomId(random), name: `x${name.slice(1)}` }));
    return { email, probes: { hidden, absent }, loadedMs };
  });
}

async function insertCollections(db: Database, companyId: string, userId: string): Promise<void> {
  await db.asCompany(companyId, async (tx) => {
    for (let i = 0; i < collections; i++)
      await tx.execute(sql`
        insert into collections (company_id, id, name, name_key, access)
        values (${companyId}, ${collectionId(i)}, ${`Collection ${i}`}, ${`collection ${i}`}, 'restricted')`);
    for (let i = 0; i < ofMember; i++)
      await tx.execute(sql`
        insert into collection_people (company_id, collection_id, user_id)
        values (${companyId}, ${collectionId(i)}, ${userId})`);
  });
}

function collectionId(n: number): string {
  return `c0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

function randomId(random: () => number): string {
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

async function measureLists(member: Client, admin: Client): Promise<Row[]> {
  const times = { member: [] as number[], admin: [] as number[] };
  let [seen, all] = [0, 0];
  for (let i = 0; i < lists; i++) {
    times.member.push(
      await timeOf(async () => {
        seen = (await member.call('getCompanyFiles', null)).length;
      }),
    );
    // Seconds of work each: enough to compare with.
    if (i % 6 === 0)
      times.admin.push(
        await timeOf(async () => {
          all = (await admin.call('getCompanyFiles', null)).length;
        }),
      );
  }
  return [
    [`list of a member of ${ofMember} (${seen.toLocaleString('en')} documents), p50, p95`, both(times.member), '50 ms'],
    [`list of an admin (${all.toLocaleString('en')} documents), p50, p95`, both(times.admin), ''],
  ];
}

async function measureSearch(member: Client, admin: Client): Promise<Row[]> {
  const questions = makeQuestions(rounds + 20, size);
  const times = { member: [] as number[], admin: [] as number[] };
  for (const [i, query] of questions.entries()) {
    const found: [number[], Client][] = [
      [times.member, member],
      [times.admin, admin],
    ];
    // Each is the first of every other pair.
    for (const [into, client] of i % 2 === 0 ? found : found.reverse()) {
      const taken = await timeOf(() => client.call('searchPassages', { query }));
      if (i >= 20) into.push(taken);
    }
  }
  const ratio = percentile(times.member, 0.5) / percentile(times.admin, 0.5);
  return [
    [`searchPassages of the member, p50, p95`, both(times.member), ''],
    ['searchPassages of the admin, p50, p95', both(times.admin), ''],
    ["the member's p50 in parts of the admin's", ratio.toFixed(2), '1.3'],
  ];
}

/** Asks for what is hidden and for what never was by turns, and compares how long the answers took. */
async function measureHiding(member: Client, companyId: string, { hidden, absent }: Probes): Promise<Row[]> {
  const bucket = (await member.call('getCompanyFiles', null))[0]?.bucket ?? '';
  type Probe = Probes['hidden'][number];
  const asking: Record<string, (probe: Probe) => Promise<unknown>> = {
    getDocument: ({ id }) => member.call('getDocument', { documentId: id, version: 1 }),
    getReadingView: ({ id }) => member.call('getReadingView', { documentId: id, version: 1, from: 0, limit: 10 }),
    getFileLink: ({ name }) => member.call('getFileLink', { gsUri: `gs://${bucket}/${companyId}/${name}` }),
    getGoneDocuments: ({ id }) => member.call('getGoneDocuments', { documentIds: [id] }),
    'searchPassages of one document': ({ id }) =>
      member.call('searchPassages', { query: 'the budget', filters: { documentIds: [id] } }),
  };
  const rows: Row[] = [];
  const random = lcg(5);
  for (const [name, ask] of Object.entries(asking)) {
    const times = { hidden: [] as number[], absent: [] as number[] };
    for (let i = 0; i < tries; i++) {
      const pair = [
        [times.hidden, hidden[i % hidden.length]],
        [times.absent, absent[i % absent.length]],
      ] as const;
      for (const [into, probe] of random() < 0.5 ? pair : pair.toReversed()) {
        if (!probe) continue;
        into.push(await timeOf(() => ask(probe).catch(isRefusal)));
      }
    }
    rows.push([
      `${name}: hidden, absent, p50 of ${tries.toLocaleString('en')} each; p of a rank test`,
      `${fine(times.hidden)}, ${fine(times.absent)}; ${rankTest(times.hidden, times.absent).toFixed(2)}`,
      'p above 0.01',
    ]);
  }
  return rows;
}

function isRefusal(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'file-not-found')) throw error;
}

/** How likely two samples of one distribution differ at least so much (Mann and Whitney 1947, by the normal curve). */
function rankTest(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((one, other) => one.value - other.value);
  let sum = 0;
  for (let i = 0; i < all.length; ) {
    let end = i;
    while (end < all.length && all[end]?.value === all[i]?.value) end++;
    // Equal ones share their ranks.
    const rank = (i + 1 + end) / 2;
    for (; i < end; i++) if (all[i]?.isA) sum += rank;
  }
  const u = sum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(u - mean) / deviation));
}

/** The share of a normal distribution below so many deviations (Abramowitz and Stegun 1964, 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = terms.reduceRight((rest, term) => (rest + term) * t, 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

function fine(times: number[]): string {
  return `${percentile(times, 0.5).toFixed(2)} ms`;
}
