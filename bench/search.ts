import type { Client } from '#client/client.ts';
import { wholeCompany } from '#server/db/audience.ts';
import { createRetrieval } from '#server/features/retrieval/retrieval.ts';
import { insertCompany } from '#server/testing/corpus.ts';
import { fillCompany, makeQuestions, seededEmbeddings } from './big-company.ts';
import { askOverHttp, withCompany } from './company.ts';
import { both, type Row, seconds } from './figures.ts';
import { withStores } from './stores.ts';

/** Of the company; `BENCH_CHUNKS` for a quick look. */
const size = { chunks: Number(process.env.BENCH_CHUNKS ?? 50_000), seed: 1 };
const rounds = 200;
const atOnce = 8;
const limit = 8;

/** One company of 50,000 chunks beside another: search in this process, then the same data asked over HTTP. */
export function measureSearch(): Promise<Row[]> {
  return withCompany(async (dataDir, companyId) => [
    ...(await measureInProcess(dataDir, companyId)),
    ...(await askOverHttp(dataDir, measureOverHttp)),
  ]);
}

function measureInProcess(dataDir: string, companyId: string): Promise<Row[]> {
  return withStores(dataDir, async ({ db, search }) => {
    const loading = performance.now();
    const other = await insertCompany(db);
    await fillCompany({ db, search, companyId: other }, { ...size, seed: size.seed + 1 });
    await fillCompany({ db, search, companyId }, size);
    const loaded = performance.now() - loading;
    const retrieval = createRetrieval({ db, search, embeddings: seededEmbeddings });
    const { signal } = new AbortController();
    const find = (text: string, byWordsAlone: boolean) =>
      retrieval.find(wholeCompany(companyId), { text, limit, byWordsAlone }, signal);
    const questions = makeQuestions(rounds, size);
    for (const text of questions.slice(0, 20)) await find(text, false);
    const words = await timesOf(questions, (text) => find(text, true));
    const hybrid = await timesOf(questions, (text) => find(text, false));
    const engine = await timesOf(questions, (text) => search.search(companyId, { text, limit: 60 }));
    const [vector] = await seededEmbeddings.embed(['a question'], 'question', signal);
    const vectors = await timesOf(questions, () => search.searchVectors(companyId, vector ?? new Float32Array(), 40));
    return [
      [`${(2 * size.chunks).toLocaleString('en')} chunks loaded, half of them the company's`, seconds(loaded), ''],
      ['engine, words, p50, p95', both(engine), ''],
      ['engine, vectors, p50, p95', both(vectors), ''],
      ['search by words, p50, p95', both(words), '6 ms, 15 ms'],
      ['search by words and vectors, p50, p95', both(hybrid), ''],
      [
        `searches by words and vectors a second, ${atOnce} at once`,
        (await perSecond(questions, (text) => find(text, false))).toFixed(0),
        '300',
      ],
    ];
  });
}

async function measureOverHttp(client: Client): Promise<Row[]> {
  const questions = makeQuestions(rounds, size);
  const ask = (text: string) => ({ history: [{ role: 'user' as const, parts: [{ text }] }] });
  for (const text of questions.slice(0, 20)) await client.call('query', ask(text));
  const answers = await timesOf(questions, (text) => client.call('query', ask(text)));
  const firstEvents: number[] = [];
  for (const text of questions.slice(0, 50)) {
    const started = performance.now();
    let first = 0;
    await client.stream('query', ask(text), () => {
      first ||= performance.now() - started;
    });
    firstEvents.push(first);
  }
  return [
    ['query over HTTP, p50, p95', both(answers), '40 ms, 100 ms'],
    ['first event of the stream, p50, p95', both(firstEvents), '20 ms'],
  ];
}

async function timesOf(questions: string[], work: (question: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    await work(question);
    times.push(performance.now() - started);
  }
  return times;
}

async function perSecond(questions: string[], work: (question: string) => Promise<unknown>): Promise<number> {
  const left = [...questions, ...questions];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let question = left.pop(); question !== undefined; question = left.pop()) await work(question);
    }),
  );
  return (2 * questions.length) / ((performance.now() - started) / 1000);
}
