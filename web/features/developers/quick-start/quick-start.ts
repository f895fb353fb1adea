// Uploads a document, asks a question, and opens what the answer cites. Needs Node 24, and nothing else.
// export FOOTNOTE_KEY=fn_...; node quick-start.ts "Travel policy.pdf" "How much may a hotel cost?"
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const url = process.env.FOOTNOTE_URL ?? 'https://footnote.example';
const key = process.env.FOOTNOTE_KEY;
if (!key) throw new Error('Make a key of an admin that may write, and put it into FOOTNOTE_KEY.');
const [file = '', question = ''] = process.argv.slice(2);
const bearer = { Authorization: `Bearer ${key}` };

async function call(name: string, data: unknown) {
  const response = await fetch(`${url}/v1/${name}`, {
    method: 'POST',
    headers: { ...bearer, 'Content-Type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${error.details.code}: ${error.message}`);
  return result;
}

// Upload: begin, then send the bytes.
const bytes = await readFile(file);
const tus = { ...bearer, 'Tus-Resumable': '1.0.0' };
const begun = await fetch(`${url}/v1/uploads`, {
  method: 'POST',
  headers: {
    ...tus,
    'Upload-Length': String(bytes.length),
    'Upload-Metadata': `filename ${Buffer.from(basename(file)).toString('base64')}`,
  },
});
if (!begun.ok) throw new Error(await begun.text());
const sent = await fetch(new URL(begun.headers.get('Location') ?? '', url), {
  method: 'PATCH',
  headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
  body: bytes,
});
if (!sent.ok) throw new Error(await sent.text());
const { documentId } = await sent.json();

// Wait until it is read.
let state = 'queued';
while (state === 'queued' || state === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const files: { id: string; state: string }[] = await call('getCompanyFiles', null);
  state = files.find(({ id }) => id === documentId)?.state ?? 'gone';
}
console.log(`${basename(file)} is ${state}.`);

// Ask.
const { answer, sources } = await call('query', { history: [{ role: 'user', parts: [{ text: question }] }] });
console.log(answer);

// Open the first citation, on the page and as data.
const [source] = sources;
if (source) {
  console.log(new URL(source.url, url).href);
  const cite = new URL(source.url, url).searchParams.get('cite');
  const { citation } = await call('getDocument', { documentId: source.documentId, version: source.version, cite });
  console.log(citation.quote);
}
