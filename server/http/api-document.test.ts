import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { registerApiDocument } from './api-document.ts';

let http: FastifyInstance;
beforeAll(async () => {
  http = Fastify();
  registerApiDocument(http, { publicUrl: 'https://ask.nordwind.example', branding: { name: 'Ask "Nordwind"' } });
  await http.ready();
});
afterAll(() => http.close());

const ask = (headers: Record<string, string> = {}) => http.inject({ url: '/openapi.json', headers });

test('has every call of the contract and the uploads, by names that stay', async () => {
  const document = (await ask()).json();
  expect(document.openapi).toBe('3.1.1');
  const paths = Object.keys(calls).map((name) => `/${name}`);
  expect(Object.keys(document.paths).toSorted()).toEqual([...paths, '/uploads', '/uploads/{uploadId}'].toSorted());
  for (const [name, call] of Object.entries(calls)) {
    const { post } = document.paths[`/${name}`];
    expect([name, post.operationId, post['x-scope']]).toEqual([name, name, call.scope]);
    expect([name, post['x-stream'] !== undefined]).toEqual([name, call.message !== undefined]);
  }
});

test("has the operator's name and address, so that a program can import it as it is", async () => {
  const { info, servers } = (await ask()).json();
  expect(info.title).toBe('Ask "Nordwind" API');
  expect(servers.map(({ url }: { url: string }) => url)).toEqual(['https://ask.nordwind.example/v1']);
});

test('is the same in every encoding, and not sent again to whoever has it', async () => {
  const plain = await ask();
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  const etags = [plain.headers.etag];
  for (const [encoding, decode] of Object.entries(decoders)) {
    const sent = await ask({ 'accept-encoding': `deflate, ${encoding};q=0.8` });
    expect(sent.headers['content-encoding']).toBe(encoding);
    expect(sent.headers.vary).toBe('accept-encoding');
    expect(decode(sent.rawPayload).toString()).toBe(plain.payload);
    etags.push(sent.headers.etag);
    const again = await ask({ 'accept-encoding': encoding, 'if-none-match': String(sent.headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  }
  expect(new Set(etags).size).toBe(3);
  expect((await ask({ 'if-none-match': '"of yesterday"' })).statusCode).toBe(200);
  expect((await ask({ 'accept-encoding': 'br;q=0, gzip;q=0.0' })).headers['content-encoding']).toBeUndefined();
});

test('may be read by a page of any origin, and kept for a while by anybody', async () => {
  const { headers } = await ask({ origin: 'https://editor.example' });
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['cache-control']).toBe('public, max-age=300');
});
