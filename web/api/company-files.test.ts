import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { MutationObserver, type MutationObserverOptions, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type CompanyFile,
  changeFiles,
  dropFile,
  filesQuery,
  reloadFiles,
  retryFile,
  setFileTags,
  watchFiles,
} from './company-files.ts';
import { queryClient } from './query-client.ts';

const user = { uid: 'u', email: 'mara@nordwind.example', role: 'admin', companyId: 'c' };
const session = { hasSession: true, user, idToken: 't', expiresAt: new Date(Date.now() + 900_000).toISOString() };

/** The list, and the stream of its changes, on loopback: each says what the test has it say. */
let listed: CompanyFile[] = [];
let held: Promise<void> | undefined;
const streams: ServerResponse[] = [];
const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (request.url === '/v1/getCompanyFiles') {
    const body = JSON.stringify({ result: listed });
    await held;
    return response.end(body);
  }
  if (request.url === '/v1/setFileTags' || request.url === '/v1/retryFile') {
    server.emit('changing');
    await held;
    if (request.url === '/v1/setFileTags') return response.end(JSON.stringify({ result: { tags: ['Travel'] } }));
    const error = { status: 'FAILED_PRECONDITION', message: 'no', details: { code: 'not-retryable' } };
    return response.writeHead(400).end(JSON.stringify({ error }));
  }
  if (request.url !== '/v1/watchFiles') return response.end(JSON.stringify({ result: session }));
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  streams.push(response);
  server.emit('watched');
});
const realFetch = globalThis.fetch;
const stops: (() => void)[] = [];

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  globalThis.fetch = (path, init) => realFetch(`http://127.0.0.1:${address.port}${path}`, init);
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
});

afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  queryClient.clear();
  vi.unstubAllGlobals();
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  // Whoever is signed in here is not for the next file of tests.
  vi.resetModules();
});

const file = (id: string, state: CompanyFile['state'], name = `${id}.txt`): CompanyFile => ({
  id,
  name,
  path: `c/${name}`,
  bucket: 'b',
  state,
  version: 1,
  size: 1,
  uploadedAt: '2026-11-02T09:00:00.000Z',
  uploadedBy: 'u',
});

/** A page that shows the list and follows it. */
async function page(files: CompanyFile[]) {
  listed = files;
  const observer = new QueryObserver(queryClient, filesQuery);
  stops.push(observer.subscribe(() => {}));
  const ids = () => observer.getCurrentResult().data?.map(({ id }) => id);
  await expect.poll(ids).toEqual(files.map(({ id }) => id));
  const watched = once(server, 'watched');
  stops.push(watchFiles());
  await watched;
  return { ids, tell: (message: object) => streams.at(-1)?.write(`data: ${JSON.stringify({ message })}\n\n`) };
}

test('an upload that has become a document does not come back beside it by what is told late', async () => {
  const { ids, tell } = await page([file('upload', 'uploading', 'notes.txt')]);
  listed = [file('document', 'queued', 'notes.txt')];
  await reloadFiles();
  expect(ids()).toEqual(['document']);
  tell({ type: 'changed', file: file('upload', 'uploading', 'notes.txt') });
  tell({ type: 'changed', file: file('upload-of-another', 'uploading') });
  await expect.poll(ids).toEqual(['document', 'upload-of-another']);
});

test('what was deleted here does not come back by what is told late', async () => {
  const { ids, tell } = await page([file('deleted', 'processing'), file('kept', 'ready')]);
  dropFile('deleted');
  tell({ type: 'changed', file: file('deleted', 'processing') });
  tell({ type: 'changed', file: file('new', 'queued') });
  await expect.poll(ids).toEqual(['kept', 'new']);
});

test('what is told while a list is on its way stands over it', async () => {
  const { ids, tell } = await page([file('kept', 'ready'), file('went', 'ready')]);
  const hold = Promise.withResolvers<void>();
  held = hold.promise;
  const reloaded = reloadFiles();
  tell({ type: 'removed', id: 'went' });
  await expect.poll(ids).toEqual(['kept']);
  hold.resolve();
  await reloaded;
  expect(ids()).toEqual(['kept']);
});

test('what is told of a file while its tags are changed stays', async () => {
  const tagged = file('a', 'processing');
  const { done, answer } = await changed(setFileTags, [tagged], { file: tagged, tags: ['Travel'] });
  changeFiles(['a'], (now) => ({ ...now, state: 'ready', version: 2 }));
  answer();
  await done;
  const files = queryClient.getQueryData(filesQuery.queryKey);
  expect(files).toMatchObject([{ state: 'ready', version: 2, tags: ['Travel'] }]);
});

test('a file that cannot be read again keeps what was changed of it meanwhile', async () => {
  const failed = { ...file('a', 'failed'), reason: 'It is damaged.' };
  const { done, answer } = await changed(retryFile, [failed, file('b', 'ready')], failed);
  expect(queryClient.getQueryData(filesQuery.queryKey)?.[0]?.state).toBe('queued');
  changeFiles(['a'], (now) => ({ ...now, tags: ['Travel'] }));
  answer();
  await expect(done).rejects.toThrow();
  const files = queryClient.getQueryData(filesQuery.queryKey);
  expect(files?.[0]).toEqual({ ...failed, tags: ['Travel'] });
});

/** Begins a change of one of these files, which the server answers when the test says so. */
async function changed<Input>(
  options: MutationObserverOptions<void, Error, Input>,
  files: CompanyFile[],
  input: NoInfer<Input>,
) {
  queryClient.setQueryData(filesQuery.queryKey, files);
  const hold = Promise.withResolvers<void>();
  held = hold.promise;
  const sent = once(server, 'changing');
  const done = new MutationObserver(queryClient, options).mutate(input);
  await sent;
  return { done, answer: hold.resolve };
}
