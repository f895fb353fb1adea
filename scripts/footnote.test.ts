import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { type Company, test } from '#server/testing/company.ts';
import { holdTable } from '#server/testing/hold.ts';

// The command line as it is downloaded, run as a program of its own against the whole product.

const program = join(import.meta.dirname, 'footnote.mjs');

/** A home folder of its own, with a key of the company's admin or another one. */
async function newHome(company: Company, { scope = 'write' as 'read' | 'write', url = company.app.url } = {}) {
  const { key } = await company.client.call('createApiKey', { name: 'Command line', kind: 'personal', scope });
  const home = await mkdtemp(join(tmpdir(), 'footnote-command-line-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    FOOTNOTE_URL: url,
    FOOTNOTE_KEY: key,
  };
  const folder = join(home, 'documents');
  await mkdir(join(folder, '2025'), { recursive: true });
  return { key, folder, env };
}

function start(args: string[], env: Record<string, string | undefined>) {
  return spawn(process.execPath, [program, ...args], { env });
}

async function run(args: string[], env: Record<string, string | undefined>, input = '') {
  const child = start(args, env);
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out, err, code };
}

test('keeps a key, uploads a folder, waits, lists, searches and asks', async ({ company }) => {
  const { key, folder, env } = await newHome(company);
  const signedIn = { ...env, FOOTNOTE_KEY: undefined };
  expect(await run(['list'], signedIn)).toEqual({
    out: '',
    err: 'footnote: not signed in: "node footnote.mjs sign-in", or set FOOTNOTE_KEY.\n',
    code: 1,
  });
  expect((await run(['sign-in', '--url', company.app.url], signedIn, `${key}\n`)).out).toContain('Signed in at');

  await writeFile(join(folder, 'Rules.md'), '# House rules\n\nThe cellar key hangs behind the green door.\n');
  await writeFile(join(folder, '2025', 'Rules.md'), '# House rules of 2025\n\nThe cellar key hung in the attic.\n');
  await writeFile(join(folder, '.hidden.md'), 'Not for others.\n');
  const uploaded = await run(['upload', folder, '--wait'], { ...signedIn, FOOTNOTE_URL: undefined });
  expect(uploaded).toMatchObject({ err: '', code: 0 });
  expect(uploaded.out.split('\n').sort()).toEqual([
    '',
    '2 uploaded, 0 not changed, 0 failed',
    '2025 - Rules.md: version 1',
    'Everything is read.',
    'Rules.md: version 1',
  ]);
  expect((await run(['list'], signedIn)).out).toBe('ready        2025 - Rules.md\nready        Rules.md\n');
  expect((await run(['search', 'green', 'door'], signedIn)).out).toMatch(/^Rules\.md {2}http:.*\n.*green door/);
  const asked = await run(['ask', 'Where', 'does the cellar key hang?'], signedIn);
  expect(asked.out).toContain('[1] Rules.md: “The cellar key hangs behind the green door.”');
  expect(asked.out).toMatch(/\n {4}http:\S+\/documents\/\S+\?cite=/);
  expect(JSON.parse((await run(['ask', '--json', 'Where does the cellar key hang?'], signedIn)).out)).toMatchObject({
    answered: true,
  });
});

test('uploads what is new or has changed, and what was deleted meanwhile', async ({ company }) => {
  const { folder, env } = await newHome(company);
  const sent = async () => (await run(['upload', folder], env)).out.trim().split('\n').at(-1);
  await writeFile(join(folder, 'A.md'), '# A\n\nThe first of them.\n');
  await writeFile(join(folder, 'B.md'), '# B\n\nThe second of them.\n');
  expect(await sent()).toBe('2 uploaded, 0 not changed, 0 failed');
  await company.app.idle();
  expect(await sent()).toBe('0 uploaded, 2 not changed, 0 failed');
  // Written anew with the same words: no bytes travel.
  await writeFile(join(folder, 'A.md'), '# A\n\nThe first of them.\n');
  expect(await sent()).toBe('0 uploaded, 2 not changed, 0 failed');
  await writeFile(join(folder, 'B.md'), '# B\n\nThe second of them, changed.\n');
  expect(await sent()).toBe('1 uploaded, 1 not changed, 0 failed');
  await company.client.call('deleteFile', { filePath: `${company.id}/A.md` });
  expect(await sent()).toBe('1 uploaded, 1 not changed, 0 failed');
  await company.app.idle();
  expect(await company.client.call('getCompanyFiles', null)).toMatchObject([
    { name: 'A.md', version: 1, state: 'ready' },
    { name: 'B.md', version: 2, state: 'ready' },
  ]);
});

test('goes on where it was killed, and where the connection was cut', async ({ company }) => {
  const wire = await cutWire(company.app.url);
  const { folder, env } = await newHome(company, { url: wire.url });
  const path = join(folder, 'Long.md');
  await writeFile(path, `# Long\n\n${'The tide tables are long, and nobody reads them.\n\n'.repeat(400_000)}`);
  wire.cutAfter(10 * 1024 * 1024);
  const first = start(['upload', path], env);
  const ended = once(first, 'close');
  await wire.cut();
  first.kill('SIGKILL');
  await ended;
  const begun = wire.begun();
  const [uploading] = await company.client.call('getCompanyFiles', null);
  expect(uploading?.state).toBe('uploading');
  expect(uploading?.progress?.done).toBeGreaterThanOrEqual(8 * 1024 * 1024);
  wire.cutAfter(4 * 1024 * 1024);
  expect(await run(['upload', path], env)).toMatchObject({ code: 0, err: '' });
  expect(wire.begun()).toBe(begun);
  const [file] = await company.client.call('getCompanyFiles', null);
  expect(file).toMatchObject({ name: 'Long.md', version: 1, size: 20_000_008 });
  await company.client.call('deleteFile', { filePath: `${company.id}/Long.md` });
});

test('watches until it is stopped', async ({ company }) => {
  const { env } = await newHome(company, { scope: 'read' });
  const child = start(['watch'], env);
  let seen = '';
  child.stdout.on('data', (bytes) => {
    seen += bytes;
  });
  await company.client.upload('Rules.md', Buffer.from('# Rules\n\nThe key hangs behind the door.\n'));
  await expect.poll(() => seen).toContain('ready        Rules.md');
  await company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
  await expect.poll(() => seen).toContain('gone         Rules.md');
  child.kill('SIGTERM');
  await once(child, 'close');
});

test('goes on watching where the connection was cut', async ({ company }) => {
  const wire = await cutWire(company.app.url);
  const { env } = await newHome(company, { scope: 'read', url: wire.url });
  const child = start(['watch'], env);
  onTestFinished(() => void child.kill());
  let seen = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      seen += bytes;
    });
  await company.client.upload('Rules.md', Buffer.from('# Rules\n\nThe key hangs behind the door.\n'));
  await expect.poll(() => seen).toContain('ready        Rules.md');
  wire.cutAll();
  await company.client.upload('News.md', Buffer.from('# News\n\nThe key hangs elsewhere now.\n'));
  await expect.poll(() => seen).toContain('ready        News.md');
  expect(seen).not.toContain('Error');
});

test('does not wait for what is deleted before it is read', async ({ company }) => {
  const { folder, env } = await newHome(company);
  const held = await holdTable(company.app, 'chunks');
  await writeFile(join(folder, 'A.md'), '# A\n\nThe first of them.\n');
  const child = start(['upload', folder, '--wait'], env);
  const said = text(child.stdout);
  await held.reached();
  await company.client.call('deleteFile', { filePath: `${company.id}/A.md` });
  await held.release();
  expect(await once(child, 'close')).toEqual([1, null]);
  expect((await said).trim().split('\n').slice(-2)).toEqual(['A.md: was deleted', '1 could not be read.']);
});

test('says in one line what is wrong', async ({ company }) => {
  const { folder, env } = await newHome(company, { scope: 'read' });
  await writeFile(join(folder, 'A.md'), '# A\n\nThe first of them.\n');
  const told = async (args: string[], others = {}) => {
    const { err, code } = await run(args, { ...env, ...others });
    return [code, err.trimEnd()];
  };
  expect(await told(['upload', folder])).toEqual([1, 'footnote: The scope of this API key does not allow this.']);
  expect(await told(['upload', join(folder, 'B.md')])).toEqual([1, `footnote: there is no ${join(folder, 'B.md')}`]);
  expect(await told(['list'], { FOOTNOTE_KEY: 'fn_wrong' })).toEqual([1, expect.stringMatching(/^footnote: .*key/)]);
  expect(await told(['list'], { FOOTNOTE_URL: 'here' })).toEqual([2, 'footnote: "here" is no web address.']);
  expect(await told(['ask'])).toEqual([2, expect.stringContaining('ask what?')]);
  expect(await told(['dance'])).toEqual([2, expect.stringContaining('there is no command "dance"')]);
  expect(await told(['list', '--loud'])).toEqual([2, expect.stringContaining("'--loud'")]);
  const refused = await told(['upload', folder, '--collection', 'Board'], {
    FOOTNOTE_KEY: (await newHome(company)).key,
  });
  expect(refused).toEqual([1, 'footnote: there is no collection "Board"; there are "Company".']);
  await writeFile(join(folder, 'Empty.md'), '');
  const some = await run(['upload', folder], { ...env, FOOTNOTE_KEY: (await newHome(company)).key });
  expect(some).toMatchObject({ code: 1, err: 'Empty.md: is empty\n' });
  expect(some.out).toContain('1 uploaded, 0 not changed, 1 failed');
  expect((await run(['help'], env)).out).toContain('Usage: node footnote.mjs <command>');
});

/**
 * Between a program and the service; cuts one connection after so many bytes, and counts the uploads that are begun.
 */
async function cutWire(url: string) {
  const { hostname, port } = new URL(url);
  let left = Number.POSITIVE_INFINITY;
  let begun = 0;
  const open = new Set<Socket>();
  let cut = Promise.withResolvers<void>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    open.add(near);
    near.on('close', () => open.delete(near));
    near.on('data', (bytes) => {
      if (bytes.toString('latin1').startsWith('POST /v1/uploads ')) begun += 1;
      left -= bytes.length;
      if (left > 0) return void far.write(bytes);
      left = Number.POSITIVE_INFINITY;
      near.destroy();
      far.destroy();
      cut.resolve();
    });
    far.on('data', (bytes) => near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(bytes: number) {
      left = bytes;
      cut = Promise.withResolvers();
    },
    cut: () => cut.promise,
    cutAll() {
      for (const each of open) each.destroy();
    },
    begun: () => begun,
  };
}
