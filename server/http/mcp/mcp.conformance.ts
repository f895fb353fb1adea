import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertKey } from '#server/testing/keys.ts';

// The official conformance suite of the protocol, as a client of the whole product. It has no way to send a key, so a
// proxy in front of us adds one; and what it would have a server offer for its sake alone is listed, with the reason,
// in `conformance/mcp/*.yaml`: a failure that is not listed fails, and so does one that is listed and has gone.

let app: TestApp;
let proxy: Server;
let url: string;

beforeAll(async () => {
  let key = '';
  proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const onward = ask(`${app.url}${request.url}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  url = `${publicUrl}/mcp/key`;
  app = await startTestApp({ publicUrl });
  const { company, admin } = await app.signUp();
  await createClient(app.url, admin.token).upload(
    'Rules.md',
    Buffer.from('# Rules\n\nThe key hangs behind the door.\n'),
  );
  await app.idle();
  ({ key } = await insertKey(app.app.db, company.id, { uid: admin.uid }));
}, 120_000);
afterAll(async () => {
  await app.close();
  proxy.close();
});

test.each(['2026-07-28', '2025-11-25'])(
  'what the revision of %s asks for',
  async (revision) => {
    const expected = resolve(`conformance/mcp/${revision}.yaml`);
    const asked = ['--url', url, '--requirements', revision, '--expected-failures', expected];
    const { code, said } = await runSuite('server', ...asked);
    expect(code, said).toBe(0);
  },
  300_000,
);

test('what it asks of an authorization server', async () => {
  const scenario = 'authorization-server-metadata-endpoint';
  const { code, said } = await runSuite('authorization', '--url', new URL(url).origin, '--scenario', scenario);
  expect(said).toMatch(/2\/2|2 passed/);
  expect(code, said).toBe(0);
}, 60_000);

async function runSuite(...asked: string[]): Promise<{ code: unknown; said: string }> {
  const suite = resolve('conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const run = spawn(process.execPath, [suite, ...asked], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (piece) => (said += piece));
  const [code] = await once(run, 'exit');
  return { code, said };
}
