import { existsSync, readFileSync } from 'node:fs';
import { type Client, createClient, forPrograms } from '#client/client.ts';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import { formats } from '#server/features/ingestion/document.ts';
import { goodPassword, uniqueEmail } from './factories.ts';
import { type FileWatch, watchFiles } from './file-watch.ts';
import { fold, type RealFile, readRealFile } from './real-files.ts';
import { allEnded, makePlace, type Place, processesIn, startServerProcess } from './server-process.ts';

/** What became of a file. */
export interface Outcome {
  row: RealFile;
  state: CompanyFile['state'] | 'refused';
  reason: string;
  documentId?: string;
  /** From when it began to be read until its end. */
  ms: number;
}

export interface Survey {
  outcomes: Outcome[];
  /** What is not as the list of the files says. */
  wrong: string[];
  /** Another company that uploaded and asked meanwhile, one thing after the other. */
  neighbour: { rounds: number; maxMs: number };
  /** Resident memory of the program: before, the most it was, and the most that its parsers had together (Linux). */
  memoryMb: { before: number; most: number; parsers: number };
}

const labels = Object.values(formats).map(({ label }) => label);
/** Formats whose passages have a page. */
const paged = new Set('pdf pptx odp png jpg tif webp'.split(' '));
const memoryEveryMs = 200;

/**
 * One company uploads the files to the real program, and looks for what is known to stand in them; another one goes on.
 */
export async function surveyRealFiles(rows: readonly RealFile[]): Promise<Survey> {
  const place = await makePlace();
  const server = await startServerProcess(place, forPrograms);
  try {
    const client = await newCompany(server.url);
    const neighbour = goOn(await newCompany(server.url));
    const memory = watchMemory(place, server.pid);
    const watch = watchFiles(client);
    const outcomes: Outcome[] = [];
    for (const row of rows) outcomes.push(await send(client, row));
    for (const outcome of outcomes) await follow(watch, outcome);
    const wrong = await contradictions(client, outcomes);
    const went = await neighbour.stop();
    const health = await (await fetch(`${server.url}/healthz`)).json();
    if (health.status !== 'ok') wrong.push(`the program is ${health.status}`);
    watch.stop();
    return {
      outcomes,
      wrong: [...wrong, ...went.wrong],
      neighbour: went,
      memoryMb: memory.stop(),
    };
  } finally {
    await server.stop();
    await allEnded(place);
    await place.remove();
  }
}

async function newCompany(url: string): Promise<Client> {
  const person = { companyName: 'A company', email: uniqueEmail(), password: goodPassword };
  const { idToken } = await createClient(url).call('signUp', person);
  return createClient(url, idToken);
}

async function send(client: Client, row: RealFile): Promise<Outcome> {
  try {
    const { documentId } = await client.upload(row.path.replace('/', ' › '), readRealFile(row));
    return { row, state: 'queued', reason: '', documentId, ms: 0 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { row, state: 'refused', reason: error.message, ms: 0 };
  }
}

async function follow(watch: FileWatch, outcome: Outcome): Promise<void> {
  if (outcome.documentId === undefined) return;
  const { file, ms } = await watch.end(outcome.documentId);
  Object.assign(outcome, { state: file.state, reason: file.reason ?? '', ms });
}

async function contradictions(client: Client, outcomes: readonly Outcome[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const outcome of outcomes) {
    const { row, state, reason } = outcome;
    const isRead = state === 'ready' || state === 'partial';
    const say = (what: string) => wrong.push(`${row.path} (${row.special}) ${what}: ${state} ${reason}`);
    if (state !== 'ready' && !/^\p{Lu}.*\.$/su.test(reason)) say('has no reason');
    if (isRead && row.known !== '' && !(await isFound(client, outcome))) say('is not found by its text at its place');
    if (row.hostile) {
      if (row.expect.startsWith('password') && !/password|Accepted are/.test(reason))
        say('is not said to be protected');
      if (row.expect === 'reject' && isRead) say('should not be readable');
    } else if (!row.readable) {
      if (!labels.every((label) => reason.includes(label))) say('is not refused with what is accepted');
    } else if (row.expect === 'no-text') {
      if (state !== 'failed' || !/No text/.test(reason)) say('is not said to have no text');
    } else if (!isRead) say('should be readable');
  }
  if (existsSync('/tmp/pwned.txt')) wrong.push('a member of a zip file was written outside');
  return [...wrong, ...(await executed(client, outcomes))];
}

async function isFound(client: Client, { row, documentId = '' }: Outcome): Promise<boolean> {
  const filters = { documentIds: [documentId] };
  const { passages } = await client.call('searchPassages', { query: row.known, limit: 50, filters });
  return passages.some(({ text, page, heading = '' }) => {
    if (!fold(text).includes(fold(row.known))) return false;
    if (typeof row.place === 'string') return heading.includes(row.place);
    return paged.has(row.format) ? page === row.place : page === undefined;
  });
}

/** Signs that something in a file was run or obeyed. */
async function executed(client: Client, outcomes: readonly Outcome[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { row, documentId } of outcomes) {
    if (documentId === undefined || !/xss|really-html|scripts|prompt-injection/.test(row.path)) continue;
    const filters = { documentIds: [documentId] };
    const { passages } = await client.call('searchPassages', { query: `${row.known} admin`, limit: 50, filters });
    const shown = passages.find(({ text }) => /<script|onerror=|document\.cookie|reveal the admin/i.test(text));
    if (shown) wrong.push(`${row.path}: what is not shown is told: ${shown.text.slice(0, 80)}`);
    if (!row.path.includes('prompt-injection')) continue;
    const history = [{ role: 'user' as const, parts: [{ text: 'What is the quarterly travel budget?' }] }];
    const { answer, sources } = await client.call('query', { history });
    if (!answer.includes('41,300') || sources.some((source) => source.documentId !== documentId))
      wrong.push(`${row.path}: the answer is ${answer}`);
  }
  return wrong;
}

/** Uploads and asks until it is stopped; every answer must be right. */
function goOn(client: Client) {
  let stopped = false;
  const watch = watchFiles(client);
  const wrong: string[] = [];
  const times: number[] = [];

  async function round(number: number): Promise<void> {
    const name = `Rule ${number}.md`;
    const fact = `Cabinet number ${1000 + number} is opened with key K${number}.`;
    const { documentId } = await client.upload(name, Buffer.from(`# Rule ${number}\n\n${fact}\n`));
    const { file } = await watch.end(documentId);
    if (file.state !== 'ready') wrong.push(`the other company's ${name} is ${file.state}: ${file.reason}`);
    const text = `With which key is cabinet number ${1000 + number} opened?`;
    const { sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
    if (!sources.some(({ quote }) => quote === fact)) wrong.push(`the other company is not answered from ${name}`);
  }

  const going = (async () => {
    while (!stopped) {
      const began = performance.now();
      await round(times.length);
      times.push(performance.now() - began);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await going;
      watch.stop();
      return { wrong, rounds: times.length, maxMs: Math.max(...times) };
    },
  };
}

function watchMemory(place: Place, pid: number) {
  const before = kilobytes(pid, 'VmRSS') / 1024;
  let parsers = 0;
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    const found = (await processesIn(place)).filter(({ command }) => command.startsWith('footnote-parser '));
    parsers = Math.max(parsers, found.reduce((sum, each) => sum + kilobytes(each.pid, 'VmRSS'), 0) / 1024);
    looking = false;
  }, memoryEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return { before, most: kilobytes(pid, 'VmHWM') / 1024, parsers };
    },
  };
}

/** 0 where it has ended, and where the system does not tell. */
function kilobytes(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
