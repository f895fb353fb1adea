import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompanyFile } from '#contract/calls/documents.ts';
import { AppError } from '#contract/errors.ts';
import { type Client, createClient } from '#scripts/client.ts';
import { formats } from '#server/features/ingestion/document.ts';
import { goodPassword, uniqueEmail } from './factories.ts';
import { fold, type RealFile, readRealFile, realFiles } from './real-files.ts';
import { allEnded, makePlace, type Place, type ServerProcess, startServerProcess } from './server-process.ts';

// Real files through the public calls of the real program.

const rows = realFiles();
const good = rows.filter(({ hostile, readable, expect }) => !hostile && readable && ['ok', 'ocr'].includes(expect));
const hostile = rows.filter((row) => row.hostile);
const others = rows.filter((row) => !row.hostile && !row.readable);
const acceptedLabels = Object.values(formats).map(({ label }) => label);
/** What the program may need beyond what it needs at rest, whatever it is sent: parsers have memory of their own. */
const moreMemoryMb = 400;

describe.skipIf(rows.length === 0 || process.platform !== 'linux')('real files', { timeout: 1_200_000 }, () => {
  let place: Place;
  let server: ServerProcess;
  let client: Client;
  let restingMb: number;

  beforeAll(async () => {
    place = await makePlace();
    server = await startServerProcess(place, { UPLOADS_PER_MINUTE: '10000', QUESTIONS_PER_MINUTE: '100000' });
    client = await company();
    restingMb = peakMemoryMb();
  }, 300_000);
  afterAll(async () => {
    await server.stop();
    await allEnded(place);
    await place.remove();
  });

  test('are found by their known text, on the right page or sheet', async () => {
    for (const row of good) await client.upload(row.path, readRealFile(row));
    const files = byName(await client.filesWhenRead());
    const missed: string[] = [];
    for (const row of good) {
      const file = files.get(row.path);
      if (row.known !== '' && !(await isFound(row, file)))
        missed.push(`${row.path}: ${file?.state} ${file?.reason ?? ''}`);
      if (file?.state !== 'ready' && file?.state !== 'partial') missed.push(`${row.path}: ${file?.reason}`);
    }
    expect(missed).toEqual([]);
  });

  async function isFound({ known, place }: RealFile, file: CompanyFile | undefined): Promise<boolean> {
    if (!file) return false;
    const filters = { documentIds: [file.id] };
    const { passages } = await client.call('searchPassages', { query: known, limit: 50, filters });
    return passages.some(({ text, page, heading = '' }) => {
      if (!fold(text).includes(fold(known))) return false;
      if (typeof place === 'string') return heading.includes(place);
      return page === undefined || page === place;
    });
  }

  test('of other kinds are refused with what is accepted', async () => {
    for (const row of others) {
      const refused = await client.upload(row.path, readRealFile(row)).catch((error: unknown) => error);
      expect(refused, row.path).toBeInstanceOf(AppError);
      for (const label of acceptedLabels) expect(String(refused), row.path).toContain(label);
    }
  });

  test('that are hostile end with a reason, while another company goes on', async () => {
    const attacker = await company();
    const neighbour = await company();
    let ended = false;
    const goingOn = goOn(neighbour, () => ended);
    const refused = new Map<string, string>();
    for (const row of hostile) {
      await attacker.upload(basename(row.path), readRealFile(row)).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        refused.set(row.path, error.message);
      });
    }
    const files = byName(await attacker.filesWhenRead());
    ended = true;
    for (const row of hostile) {
      const file = files.get(basename(row.path));
      const reason = refused.get(row.path) ?? file?.reason;
      const state = refused.has(row.path) ? 'refused' : file?.state;
      const said = `${row.path}: ${state} ${reason}`;
      expect(['refused', 'ready', 'partial', 'failed'], said).toContain(state);
      if (state !== 'ready') expect(reason, said).toMatch(/^\p{Lu}.*\.$/su);
      if (row.expect.startsWith('password')) expect(reason, said).toMatch(/password|Accepted are/);
      // Its content is HTML, and HTML is read; the name does not matter.
      if (row.expect === 'reject' && row.path !== 'hostile/really-html.pdf') expect(state, said).not.toBe('ready');
    }
    // Of the file that bids the reader to cite another, and of the one with scripts, only what they say is told.
    const { passages } = await attacker.call('searchPassages', { query: 'parking permits' });
    expect(passages.some(({ text }) => /<script|onerror=|javascript:/i.test(text))).toBe(false);
    expect(existsSync('/tmp/pwned.txt')).toBe(false);

    const { done, wrong } = await goingOn;
    expect(wrong).toEqual([]);
    expect(done).toBeGreaterThan(0);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' });
  });

  test('leave the program with the memory that it had', () => {
    expect(peakMemoryMb() - restingMb).toBeLessThan(moreMemoryMb);
  });

  async function company(): Promise<Client> {
    const person = { companyName: 'A company', email: uniqueEmail(), password: goodPassword };
    const { idToken } = await createClient(server.url).call('signUp', person);
    return createClient(server.url, idToken);
  }

  /** The most that the program itself has needed, without its parsers and its database. */
  function peakMemoryMb(): number {
    const status = readFileSync(`/proc/${server.pid}/status`, 'latin1');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }
});

/** Uploads and asks, one thing after the other; every answer must be right. */
async function goOn(client: Client, ended: () => boolean): Promise<{ done: number; wrong: string[] }> {
  const wrong: string[] = [];
  let done = 0;
  while (!ended()) {
    const name = `Rule ${done}.md`;
    await client.upload(
      name,
      Buffer.from(`# Rule ${done}\n\nCabinet number ${1000 + done} is opened with key K${done}.\n`),
    );
    const file = (await client.filesWhenRead()).find((each) => each.name === name);
    if (file?.state !== 'ready') wrong.push(`${name} is ${file?.state}: ${file?.reason}`);
    const text = `With which key is cabinet number ${1000 + done} opened?`;
    const { sources } = await client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
    if (!sources.some(({ quote }) => quote.includes(`K${done}`))) wrong.push(`${name} is not answered from`);
    done++;
  }
  return { done, wrong };
}

function byName(files: CompanyFile[]): Map<string, CompanyFile> {
  return new Map(files.map((file) => [file.name, file]));
}
