import { spawnSync } from 'node:child_process';
import { randomFillSync, randomUUID } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient, forPrograms } from '#client/client.ts';
import { makePlace, type Place, type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { megabytes, type Row, seconds } from './figures.ts';

/** `BENCH_EXPORT_GB` for another size: beyond 4 the zip needs places of 64 bits. */
const gigabytes = Number(process.env.BENCH_EXPORT_GB ?? 2);
const fileBytes = 20_000_000;
const files = Math.ceil((gigabytes * 1e9) / fileBytes);
const lookEveryMs = 100;

/** The export of a company with so many bytes of originals, downloaded whole, with what the server takes of memory. */
export async function measureExport(): Promise<Row[]> {
  const place = await makePlace();
  const server = await startServerProcess(place, forPrograms);
  try {
    const { idToken, user } = await createClient(server.url).call('signUp', {
      companyName: 'Bench',
      email: 'bench@nordwind.example',
      password: 'seventeen quiet herons',
    });
    await fill(place, server, user.companyId);
    return await measure(place, server, createClient(server.url, idToken));
  } finally {
    await server.stop();
    await place.remove();
  }
}

/** Random bytes, which nothing makes smaller; put past the upload, since reading them is not what is measured. */
async function fill(place: Place, server: ServerProcess, companyId: string): Promise<void> {
  const folder = join(place.dataDir, 'files', companyId);
  await mkdir(folder, { recursive: true });
  const bytes = Buffer.alloc(fileBytes);
  for (let i = 0; i < files; i++) {
    const [documentId, uploadId] = [randomUUID(), randomUUID()];
    const file = await open(join(folder, uploadId), 'w');
    await file.write(randomFillSync(bytes));
    await file.close();
    await server.query(`
      insert into documents (company_id, id, name, name_key, current_version, newest_version)
      values ('${companyId}', '${documentId}', 'File ${i}.pdf', 'File ${i}.pdf', 1, 1);
      insert into versions (company_id, document_id, version, state, media_type, size, sha256, object_key, upload_id, uploaded_by, finished_at)
      values ('${companyId}', '${documentId}', 1, 'ready', 'application/pdf', ${fileBytes}, '', '${companyId}/${uploadId}', '${uploadId}', '${randomUUID()}', now())`);
  }
}

async function measure(place: Place, server: ServerProcess, client: Client): Promise<Row[]> {
  const zip = join(place.path, 'export.zip');
  let exportId = '';
  const making = await observed(server, async () => {
    ({ exportId } = await client.call('startExport', null));
    const isReady = async () => (await server.query("select 1 from exports where state = 'ready'")).length > 0;
    while (!(await isReady())) await wait(lookEveryMs);
  });
  const { url = '' } = await client.call('getExport', { exportId });
  const downloading = await observed(server, async () => {
    const { body } = await fetch(new URL(new URL(url).pathname, server.url));
    if (!body) throw new Error('nothing was sent');
    await pipeline(piecesOf(body), createWriteStream(zip));
  });
  const { size } = await stat(zip);
  const { status, error } = spawnSync('unzip', ['-tqq', zip]);
  const tested = error ? 'not installed' : status === 0 ? 'no errors' : `status ${status}`;
  const memory = ({ before, most, after }: Observed) => [before, most, after].map(pair).join('; ');
  return [
    [`${files} originals, in all ${megabytes(files * fileBytes)}; the zip`, megabytes(size), ''],
    ['made in', seconds(making.ms), ''],
    ['RSS / PSS of the server before it; at most; after it', memory(making), 'flat'],
    ['downloaded in', seconds(downloading.ms), ''],
    ['RSS / PSS of the server before it; at most; after it', memory(downloading), 'flat'],
    ['`unzip -t`', tested, 'no errors'],
  ];
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of body) yield piece;
}

interface Memory {
  rss: number;
  pss: number;
}
interface Observed {
  ms: number;
  before: Memory;
  most: Memory;
  after: Memory;
}

async function observed({ pid }: ServerProcess, work: () => Promise<void>): Promise<Observed> {
  const before = memoryOf(pid);
  const most = { ...before };
  const look = () => {
    const { rss, pss } = memoryOf(pid);
    most.rss = Math.max(most.rss, rss);
    most.pss = Math.max(most.pss, pss);
  };
  const looking = setInterval(look, lookEveryMs);
  const started = performance.now();
  await work().finally(() => clearInterval(looking));
  const ms = performance.now() - started;
  look();
  return { ms, before, most, after: memoryOf(pid) };
}

/** Resident memory, and what of it is the process's own share, in bytes (Linux). */
function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
  return { rss: bytes('Rss'), pss: bytes('Pss') };
}

function pair({ rss, pss }: Memory): string {
  return `${megabytes(rss)} / ${megabytes(pss)}`;
}
