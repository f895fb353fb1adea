#!/usr/bin/env node
// Footnote from the command line: one file, which needs Node 20 or newer and nothing else. `node footnote.mjs help`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const help = `Usage: node footnote.mjs <command>

  sign-in [--url <address>]      keeps an API key on this machine; asks for it, or reads it from standard input
  upload <file or folder>...     uploads what is new or has changed, and goes on where it broke off
      --collection <name>        into this collection
      --all                      also what has not changed
      --wait                     until everything is read
  list [--json]                  the documents, and how far reading has come
  ask <question> [--json]        the answer with its citations
  search <words> [--json]        the passages that fit best
  watch                          tells what happens to documents, until Ctrl+C
  help                           this text

The key and the address can also be given as FOOTNOTE_KEY and FOOTNOTE_URL. Uploading needs the key of an admin with
the scope "write", all else one with "read". A file is known by its name; one whose name another file of the same upload
has, too, is called after its folders: "contracts - 2026 - terms.pdf".
It ends with 0 when all went well, 1 when something did not, 2 when it was called wrongly.`;

const configHome = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
const stateHome = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
const signedInPath = join(configHome, 'footnote', 'sign-in.json');
const pieceBytes = 8 * 1024 * 1024;
const atOnce = 3;
const tries = 6;
const usual = 'http://localhost:3000';
/** What a service or a proxy answers that is starting, stopping or busy. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Said to whoever called, without a stack. */
class Problem extends Error {
  constructor(message, { exitCode = 1, code, status, retryAfter } = {}) {
    super(message);
    Object.assign(this, { exitCode, code, status, retryAfter });
  }
}

const commands = { 'sign-in': signIn, upload, list, ask, search, watch };

async function main([name = 'help', ...rest]) {
  if (name === 'help' || name === '--help' || name === '-h') return console.log(help);
  if (!Object.hasOwn(commands, name)) {
    throw new Problem(`there is no command "${name}". "node footnote.mjs help" lists them.`, { exitCode: 2 });
  }
  const options = { url: 'string', collection: 'string', all: 'boolean', wait: 'boolean', json: 'boolean' };
  const described = Object.fromEntries(Object.entries(options).map(([option, type]) => [option, { type }]));
  let given;
  try {
    given = parseArgs({ args: rest, options: described, allowPositionals: true });
  } catch (error) {
    throw new Problem(error.message, { exitCode: 2 });
  }
  await commands[name](given.positionals, given.values);
}

async function signIn(_words, { url = process.env.FOOTNOTE_URL ?? usual }) {
  const address = originOf(url);
  const key = process.stdin.isTTY ? await askForKey(address) : (await readAll(process.stdin)).trim();
  if (!/^fn_\S+$/.test(key)) throw new Problem('this is no API key: they begin with fn_.');
  const service = serviceOf({ url: address, key });
  await service.call('getCompanyFiles', null);
  await writeWhole(signedInPath, JSON.stringify({ url: address, key }));
  console.log(`Signed in at ${address}. The key is in ${signedInPath}.`);
}

async function upload(paths, { collection, all = false, wait: waits = false }) {
  if (paths.length === 0) throw new Problem('upload what? Name a file or a folder.', { exitCode: 2 });
  const service = await signedIn();
  const files = named(await found(paths));
  if (files.length === 0) throw new Problem('there is no file.');
  const into = collection === undefined ? undefined : await collectionNamed(service, collection);
  const memory = await remembered(service);
  const there = new Map((await service.call('getCompanyFiles', null)).map((file) => [file.id, file]));
  const results = { uploaded: 0, unchanged: 0, failed: 0 };
  const sent = new Map();
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      try {
        const done = await uploadOne(service, file, { into, all, memory, there });
        if (!done) results.unchanged += 1;
        else {
          results.uploaded += 1;
          sent.set(done.documentId, file.name);
          console.log(`${file.name}: ${done.unchanged ? 'is there already' : `version ${done.version}`}`);
        }
      } catch (error) {
        // Without the right to upload no file will go.
        if (!(error instanceof Problem) || error.status === 401 || error.status === 403) throw error;
        results.failed += 1;
        console.error(`${file.name}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const told = [`${results.uploaded} uploaded`, `${results.unchanged} not changed`, `${results.failed} failed`];
  console.log(told.join(', '));
  if (waits && sent.size > 0) results.failed += await untilRead(service, sent);
  if (results.failed > 0) process.exitCode = 1;
}

/** @returns what became of it; null where it is there as it is */
async function uploadOne(service, file, { into, all, memory, there }) {
  const { size, mtimeMs } = await stat(file.path);
  const known = memory.files[file.path];
  const live = there.get(known?.documentId);
  const isLive = live !== undefined && live.version === known.version && live.state !== 'failed';
  const looksSame = known?.size === size && known.mtimeMs === mtimeMs;
  if (!all && isLive && looksSame) return null;
  const digest = await digestOf(file.path);
  if (!all && isLive && known.digest === digest) {
    await memory.set(file.path, { ...known, size, mtimeMs });
    return null;
  }
  const begun = known?.begun?.digest === digest ? known.begun : undefined;
  const place = begun?.place ?? (await begin(service, file, { size, into }));
  await memory.set(file.path, { ...known, begun: { digest, place } });
  const done = await send(service, place, file.path, size).catch(async (error) => {
    // Given up by the service meanwhile, or refused for good: the next time begins anew.
    if (error.status !== undefined && !passing.has(error.status))
      await memory.set(file.path, { ...known, begun: undefined });
    if (begun && (error.status === 404 || error.status === 410)) return null;
    throw error;
  });
  if (!done) return uploadOne(service, file, { into, all, memory, there });
  const { documentId, version } = done;
  await memory.set(file.path, { size, mtimeMs, digest, documentId, version });
  return done;
}

async function begin(service, { name }, { size, into }) {
  if (size === 0) throw new Problem('is empty');
  const metadata = [`filename ${base64(name)}`, ...(into ? [`collection ${base64(into)}`] : [])];
  const headers = { 'Upload-Length': String(size), 'Upload-Metadata': metadata.join(',') };
  const reply = await service.tus('POST', '/v1/uploads', { headers });
  return new URL(reply.headers.get('location'), service.url).pathname;
}

/** Sends the bytes from where the service has them, a piece at a time. */
async function send(service, place, path, size) {
  const handle = await open(path);
  try {
    for (let conflicts = 0; conflicts < tries; ) {
      const head = await service.tus('HEAD', place);
      const offset = Number(head.headers.get('upload-offset'));
      // An empty piece at the end asks for what the upload became.
      const piece = Buffer.alloc(Math.min(pieceBytes, size - offset));
      const { bytesRead } = await handle.read(piece, 0, piece.length, offset);
      if (bytesRead < piece.length) throw new Problem('changed while it was read');
      const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
      const reply = await service.tus('PATCH', place, { headers, body: piece }).catch((error) => {
        // Another place than we thought, since a reply was lost: asked for again.
        if (error.status !== 409) throw error;
        conflicts += 1;
        return null;
      });
      if (reply?.status === 200) return await reply.json();
    }
    throw new Problem('somebody else is uploading it');
  } finally {
    await handle.close();
  }
}

/** @param ids of the documents, with their names @returns how many could not be read */
async function untilRead(service, ids) {
  let failed = 0;
  for await (const file of changes(service, new Map(ids))) {
    if (!ids.has(file.id) || !(file.removed || isRead(file))) continue;
    ids.delete(file.id);
    if (file.state !== 'ready') console.log(`${file.name}: ${file.removed ? 'was deleted' : stateOf(file)}`);
    if (file.state === 'failed' || file.removed) failed += 1;
    if (ids.size === 0) break;
  }
  console.log(failed === 0 ? 'Everything is read.' : `${failed} could not be read.`);
  return failed;
}

async function list(_words, { json }) {
  const files = await (await signedIn()).call('getCompanyFiles', null);
  if (json) return console.log(JSON.stringify(files, null, 2));
  for (const file of files) console.log(`${stateOf(file).padEnd(12)} ${file.name}`);
}

async function ask(words, { json }) {
  const text = words.join(' ').trim();
  if (!text) throw new Problem('ask what? "node footnote.mjs ask How much may a hotel cost?"', { exitCode: 2 });
  const service = await signedIn();
  const answer = await service.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  if (json) return console.log(JSON.stringify(answer, null, 2));
  console.log(`${answer.answer}\n`);
  for (const { n, name, page, quote, url } of answer.sources.filter(({ supporting }) => !supporting)) {
    console.log(`[${n}] ${name}${page === undefined ? '' : `, page ${page}`}: “${quote}”`);
    console.log(`    ${new URL(url, service.url)}`);
  }
  if (!answer.answered) process.exitCode = 1;
}

async function search(words, { json }) {
  const query = words.join(' ').trim();
  if (!query) throw new Problem('search for what?', { exitCode: 2 });
  const service = await signedIn();
  const { passages } = await service.call('searchPassages', { query });
  if (json) return console.log(JSON.stringify(passages, null, 2));
  for (const { name, page, text, url } of passages) {
    console.log(`${name}${page === undefined ? '' : `, page ${page}`}  ${new URL(url, service.url)}`);
    console.log(`    ${text.replace(/\s+/g, ' ').slice(0, 300)}\n`);
  }
}

async function watch() {
  for await (const file of changes(await signedIn())) {
    console.log(file.removed ? `gone         ${file.name ?? file.id}` : `${stateOf(file).padEnd(12)} ${file.name}`);
  }
}

/**
 * Every file as it is, and then as it changes, over as many streams as it takes.
 * @param names of files that are known already, by id: those that are there no more are told as removed
 */
async function* changes(service, names = new Map()) {
  let since;
  for (;;) {
    try {
      for await (const message of service.stream('watchFiles', since === undefined ? null : { since })) {
        since = message.cursor ?? since;
        const files = message.type === 'files' ? message.files : message.type === 'changed' ? [message.file] : [];
        for (const file of files) names.set(file.id, file.name);
        const there = new Set(files.map(({ id }) => id));
        // A list is of all that there are.
        const gone = message.type === 'files' ? [...names.keys()].filter((id) => !there.has(id)) : [];
        for (const id of message.type === 'removed' ? [message.id] : gone) {
          yield { id, name: names.get(id), removed: true };
          names.delete(id);
        }
        yield* files;
      }
    } catch (error) {
      // What the service says is a problem; all else is a connection that was cut.
      if (error instanceof Problem) throw error;
      await wait(1000);
    }
  }
}

const isRead = ({ state }) => state === 'ready' || state === 'partial' || state === 'failed';

function stateOf({ state, progress, reason }) {
  if (progress && !isRead({ state }))
    return `${state} ${Math.floor((100 * progress.done) / Math.max(1, progress.total))}%`;
  return reason && state !== 'ready' ? `${state} (${reason})` : state;
}

/** The service as a signed-in program sees it; what passes is tried again. */
function serviceOf({ url, key }) {
  const bearer = { Authorization: `Bearer ${key}` };

  async function once(method, path, init) {
    const reply = await fetch(new URL(path, url), { method, ...init }).catch((cause) => {
      const why = cause.cause?.code ?? cause.cause?.message ?? cause.message;
      throw new Problem(`${url} can't be reached (${why}).`, { status: 503 });
    });
    if (reply.ok) return reply;
    const retryAfter = Number(reply.headers.get('retry-after'));
    const { error } = await reply.json().catch(() => ({}));
    const message = error?.message ?? `${url} answers ${reply.status}, and not as Footnote does.`;
    throw new Problem(message, { code: error?.details?.code, status: reply.status, retryAfter });
  }

  async function patiently(method, path, init) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(method, path, init);
      } catch (error) {
        if (attempt === tries || !passing.has(error.status)) throw error;
        await wait(1000 * (error.retryAfter || 2 ** (attempt - 1)));
      }
    }
  }

  const asking = (data, accept) => ({
    headers: { ...bearer, 'Content-Type': 'application/json', Accept: accept },
    body: JSON.stringify({ data }),
  });

  return {
    url,
    key,
    async call(name, data) {
      return (await (await patiently('POST', `/v1/${name}`, asking(data, 'application/json'))).json()).result;
    },
    async *stream(name, data) {
      const reply = await patiently('POST', `/v1/${name}`, asking(data, 'text/event-stream'));
      for await (const event of eventsOf(reply.body)) {
        if (event.error) throw new Problem(event.error.message, { code: event.error.details?.code, status: 500 });
        if ('result' in event) return;
        yield event.message;
      }
    },
    tus: (method, path, { headers, body } = {}) =>
      patiently(method, path, { headers: { ...bearer, 'Tus-Resumable': '1.0.0', ...headers }, body }),
  };
}

async function* eventsOf(body) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5));
  }
}

async function signedIn() {
  const kept = JSON.parse(await readFile(signedInPath, 'utf8').catch(() => '{}'));
  const key = process.env.FOOTNOTE_KEY || kept.key;
  if (!key) throw new Problem('not signed in: "node footnote.mjs sign-in", or set FOOTNOTE_KEY.');
  return serviceOf({ url: originOf(process.env.FOOTNOTE_URL || kept.url || usual), key });
}

async function collectionNamed(service, name) {
  const collections = await service.call('listCollections', null);
  const found = collections.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found.id;
  const names = collections.map((each) => `"${each.name}"`).join(', ');
  throw new Problem(`there is no collection "${name}"${names ? `; there are ${names}` : ''}.`);
}

/** All files below the paths, without those that begin with a dot. */
async function found(paths) {
  const files = [];
  const look = async (path, root) => {
    const facts = await stat(path).catch(() => null);
    if (!facts) throw new Problem(`there is no ${path}`);
    if (!facts.isDirectory()) return files.push({ path, below: relative(root, path) });
    for (const name of (await readdir(path)).sort()) if (!name.startsWith('.')) await look(join(path, name), root);
  };
  for (const path of paths.map((each) => resolve(each))) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory();
    await look(path, isFolder ? path : dirname(path));
  }
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function named(files) {
  const keyOf = ({ path }) => basename(path).normalize('NFC').toLowerCase();
  const counts = new Map();
  for (const file of files) counts.set(keyOf(file), (counts.get(keyOf(file)) ?? 0) + 1);
  return files.map((file) => ({
    path: file.path,
    name: (counts.get(keyOf(file)) > 1 ? file.below.split(sep).join(' - ') : basename(file.path)).normalize('NFC'),
  }));
}

/** What was uploaded from here to this service with this key, by path. */
async function remembered({ url, key }) {
  const id = createHash('sha256')
    .update(`${url}\n${key.split('_').slice(0, 2).join('_')}`)
    .digest('hex')
    .slice(0, 16);
  const path = join(stateHome, 'footnote', `${id}.json`);
  const files = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'));
  let writing = Promise.resolve();
  return {
    files,
    set(file, facts) {
      files[file] = facts;
      writing = writing.then(() => writeWhole(path, JSON.stringify(files)));
      return writing;
    },
  };
}

async function writeWhole(path, text) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.part`, text, { mode: 0o600 });
  await rename(`${path}.part`, path);
}

async function digestOf(path) {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}

function originOf(written) {
  const url = URL.canParse(written) ? new URL(written) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Problem(`"${written}" is no web address.`, { exitCode: 2 });
  return url.origin;
}

async function askForKey(url) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const key = await terminal.question(`API key for ${url} (made under "API keys" of your account): `);
  terminal.close();
  return key.trim();
}

async function readAll(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const base64 = (text) => Buffer.from(text).toString('base64');

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(`footnote: ${error.message}`);
  process.exitCode = error.exitCode;
}
