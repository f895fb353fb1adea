// Uploads a folder, asks what stands in a file of questions, and opens what the answers cite. Needs Node 24 alone.
// export FOOTNOTE_KEY=fn_...; node whole-folder.ts ./contracts questions.txt
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const url = process.env.FOOTNOTE_URL ?? 'https://footnote.example';
const key = process.env.FOOTNOTE_KEY;
if (!key) throw new Error('Make a key of an admin that may write, and put it into FOOTNOTE_KEY.');
const [folder = '', questions = ''] = process.argv.slice(2);

async function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { Authorization: `Bearer ${key}`, ...headers },
      body: body as BodyInit,
    });
    if (response.ok) return response;
    // Too many requests, or busy: the service says when to come back.
    if (![429, 503].includes(response.status) || attempt === 10) throw new Error(await response.text());
    await wait(1000 * Number(response.headers.get('Retry-After') ?? attempt));
  }
}

async function call(name: string, data: unknown) {
  const body = JSON.stringify({ data });
  return (await (await send('POST', `/v1/${name}`, { 'Content-Type': 'application/json' }, body)).json()).result;
}

async function upload(name: string): Promise<string> {
  const bytes = await readFile(join(folder, name));
  const tus = { 'Tus-Resumable': '1.0.0' };
  const metadata = `filename ${Buffer.from(name).toString('base64')}`;
  const about = { 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata };
  const location = (await send('POST', '/v1/uploads', { ...tus, ...about })).headers.get('Location') ?? '';
  const piece = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  return (await (await send('PATCH', location, { ...tus, ...piece }, bytes)).json()).documentId;
}

// Upload one after the other; a file whose name is there already becomes its next version.
const uploaded = new Set<string>();
for (const entry of await readdir(folder, { withFileTypes: true }))
  if (entry.isFile() && !entry.name.startsWith('.')) uploaded.add(await upload(entry.name));
console.log(`${uploaded.size} files are uploaded.`);

// Wait until all of them are read.
interface File {
  id: string;
  name: string;
  state: string;
  reason?: string;
}
let files: File[];
do {
  await wait(2000);
  files = ((await call('getCompanyFiles', null)) as File[]).filter(({ id }) => uploaded.has(id));
} while (files.some(({ state }) => state === 'queued' || state === 'processing'));
for (const { name, reason } of files.filter(({ state }) => state === 'failed')) console.log(`${name}: ${reason}`);
console.log(`${files.filter(({ state }) => state !== 'failed').length} files are read.`);

// Ask, and open what is cited, on the page and as data.
const lines = (await readFile(questions, 'utf8')).split(/\r?\n/);
for (const text of lines.filter((line) => line.trim() !== '')) {
  const { answer, sources } = await call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  console.log(`\n# ${text}\n${answer}`);
  for (const { url: link, documentId, version } of sources) {
    const cite = new URL(link, url).searchParams.get('cite');
    const { citation } = await call('getDocument', { documentId, version, cite });
    console.log(`${new URL(link, url).href}\n  ${citation.quote}`);
  }
}
