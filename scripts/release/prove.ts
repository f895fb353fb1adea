import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createClient } from '#client/client.ts';
import { freePort } from '../free-port.ts';

const email = 'first@example.com';
const password = 'as long as it takes to read';
const question = 'How much may a hotel in Berlin cost per night?';
const startTimeoutMs = 180_000;

/**
 * Starts what was laid out as a newcomer would, with data of its own: a company signs up, every sample is read, a
 * question is answered with a citation whose words stand in the document.
 * @param folder with the file `footnote`
 * @throws Error that says what was not as it should be
 */
export async function prove(folder: string): Promise<{ startedInMs: number }> {
  const data = mkdtempSync(join(tmpdir(), 'footnote-release-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { PATH = '' } = process.env;
  const began = Date.now();
  // Nothing of this repository is on the path or in the environment.
  const env = {
    PATH: PATH.split(':')
      .filter((each) => !each.includes('node_modules'))
      .join(':'),
  };
  const service = spawn(join(folder, 'footnote'), ['start'], {
    cwd: data,
    env: { ...env, PORT: String(port), DATA_DIR: join(data, 'data'), BILLING: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
  try {
    await said(service.stdout, 'is running', ended);
    const startedInMs = Date.now() - began;
    const page = await (await fetch(url)).text();
    if (!page.includes('<div id="root"')) throw new Error('The web app is not served.');
    const { idToken } = await createClient(url).call('signUp', { companyName: 'First', email, password });
    const client = createClient(url, idToken);
    const samples = join(folder, 'samples', 'files');
    for (const name of readdirSync(samples)) await client.upload(name, readFileSync(join(samples, name)));
    const unread = (await client.filesWhenRead()).filter(({ state }) => state !== 'ready');
    if (unread.length > 0) throw new Error(`Not read: ${unread.map(({ name }) => name).join(', ')}`);
    const history = [{ role: 'user' as const, parts: [{ text: question }] }];
    const { answer, answered, sources } = await client.call('query', { history });
    if (!answered || sources.length === 0) throw new Error(`"${question}" is answered without a source: ${answer}`);
    return { startedInMs };
  } finally {
    service.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

/** Waits until the service has printed the words. @throws Error where it ends before, or takes too long */
async function said(output: Readable, words: string, ended: Promise<number | null>): Promise<void> {
  const heard = (async () => {
    for await (const line of createInterface({ input: output })) if (line.includes(words)) return;
    throw new Error(`It ended with ${await ended} before it ran.`);
  })();
  const tooLong = AbortSignal.timeout(startTimeoutMs);
  await Promise.race([
    heard,
    once(tooLong, 'abort').then(() => {
      throw new Error(`It did not run within ${startTimeoutMs / 1000} s.`);
    }),
  ]);
  output.resume();
}
