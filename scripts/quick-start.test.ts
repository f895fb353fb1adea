import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newSecret } from '#server/features/webhooks/secret.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { languages, sampleOf } from '#web/features/developers/samples.ts';

// The programs that /developers shows, run as they stand there.

const folder = 'web/features/developers/quick-start';
const programs = [
  { language: 'bash', program: 'bash', file: 'quick-start.sh' },
  { language: 'TypeScript', program: process.execPath, file: 'quick-start.ts' },
  { language: 'Python', program: 'python3', file: 'quick-start.py' },
];

let app: TestApp;
let key: string;
let reader: string;
let administers: string;
beforeAll(async () => {
  app = await startTestApp();
  const { admin } = await app.signUp();
  const as = { token: admin.token };
  key = (await app.call('createApiKey', { name: 'Quick start', kind: 'personal', scope: 'write' }, as)).key;
  administers = (await app.call('createApiKey', { name: 'Admin', kind: 'personal', scope: 'admin' }, as)).key;
  reader = (await app.call('createApiKey', { name: 'Reader', kind: 'personal', scope: 'read' }, as)).key;
});
afterAll(() => app.close());

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function run(program: string, file: string, bearer: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, FOOTNOTE_URL: app.url, FOOTNOTE_KEY: bearer };
  const args = [
    join(folder, file),
    'samples/files/Travel policy 2026.pdf',
    'How much may a hotel in "Berlin" cost per night?',
  ];
  return promisify(execFile)(program, args, { env });
}

describe.each(programs)('$language', ({ program, file }) => {
  test.skipIf(!isThere(program))('uploads, waits, asks and opens the citation', async () => {
    const { stdout } = await run(program, file, key);
    const [ready, ...lines] = stdout.trimEnd().split('\n');
    expect(ready).toBe('Travel policy 2026.pdf is ready.');
    expect(lines.join('\n')).toMatch(/Berlin[\s\S]*\[1\]/);
    const link = lines.at(-2) ?? '';
    expect(link).toMatch(new RegExp(`^${app.url}/documents/[0-9a-f-]{36}/1\\?cite=[0-9a-f-]{36}$`));
    expect(lines.at(-1)).toContain('Berlin');
  });

  test.skipIf(!isThere(program))('says why a key may not do it', async () => {
    const refused: { stdout: string; stderr: string } = await run(program, file, reader).then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(`${refused.stdout}${refused.stderr}`).toContain('The scope of this API key does not allow this.');
  });
});

const folders = [
  { language: 'bash', program: 'bash', file: 'whole-folder.sh' },
  { language: 'TypeScript', program: process.execPath, file: 'whole-folder.ts' },
  { language: 'Python', program: 'python3', file: 'whole-folder.py' },
];

/** `FOLDER_FILES=200` for as many as a company might begin with. */
const files = Number(process.env.FOLDER_FILES ?? 10);

test.skipIf(!isThere('python3'))(
  'a whole folder is uploaded and asked about in each language',
  { timeout: 60_000 + files * 3_000 },
  async () => {
    const made = await mkdtemp(join(tmpdir(), 'footnote-folder-'));
    onTestFinished(() => rm(made, { recursive: true, force: true }));
    const siteOf = (n: number) => `Site ${String(n).padStart(3, '0')}`;
    const meterOf = (n: number) => 40_000 + n * 37;
    await mkdir(join(made, 'sites'));
    for (let n = 1; n <= files; n++)
      await writeFile(
        join(made, 'sites', `${siteOf(n)}.md`),
        `The meter of ${siteOf(n)} has the number ${meterOf(n)}.\n`,
      );
    const asked = Array.from({ length: 20 }, (_, i) => 1 + ((i * 7) % files));
    const questions = asked.map((n) => `What number does the "meter" of ${siteOf(n)} have?`);
    await writeFile(join(made, 'questions.txt'), `${questions.join('\n')}\n`);
    await Promise.all(
      folders.map(async ({ language, program, file }) => {
        const { admin } = await app.signUp();
        const as = { token: admin.token };
        const { key } = await app.call('createApiKey', { name: 'Folder', kind: 'personal', scope: 'write' }, as);
        const env = { ...process.env, FOOTNOTE_URL: app.url, FOOTNOTE_KEY: key };
        const args = [join(folder, file), join(made, 'sites'), join(made, 'questions.txt')];
        const { stdout } = await promisify(execFile)(program, args, { env });
        const [counts, ...answers] = stdout.split('\n# ');
        const expected = [`${files} files are uploaded.`, `${files} files are read.`];
        expect(counts?.trim().split('\n'), language).toEqual(expected);
        expect(answers.map((answer) => answer.split('\n')[0])).toEqual(questions);
        for (const [i, answer] of answers.entries()) {
          const lines = answer.trimEnd().split('\n');
          const link =
            lines.indexOf(`  The meter of ${siteOf(asked[i] ?? 0)} has the number ${meterOf(asked[i] ?? 0)}.`) - 1;
          expect(lines[link], `${language}: ${answer}`).toMatch(
            new RegExp(`^${app.url}/documents/[0-9a-f-]{36}/1\\?cite=[0-9a-f-]{36}$`),
          );
        }
      }),
    );
  },
);

describe('the program of a call', () => {
  const runners = {
    curl: ['bash', '-c'],
    TypeScript: [process.execPath, '--input-type=module', '-e'],
    Python: ['python3', '-c'],
  };

  for (const language of languages) {
    const [program = '', ...args] = runners[language];
    test.skipIf(!isThere(program))(`in ${language} sends exactly what it shows`, async () => {
      const name = `It's a "tag" \\ of ${language} – ö`;
      const data = { name, userIds: [] };
      const sample = sampleOf(language, { url: `${app.url}/v1`, name: 'createGroup', data, key: administers });
      const { stdout } = await promisify(execFile)(program, [...args, sample]);
      expect(stdout).toContain('groupId');
      const groups = await app.call('listGroups', null, { token: administers });
      expect(groups.map((group) => group.name)).toContain(name);
    });
  }
});

test.each([
  ['TypeScript', process.execPath, 'receive-events.ts'],
  ['Python', 'python3', 'receive-events.py'],
])('the receiver in %s takes what is signed, and nothing else', async (_, program, file) => {
  const secret = newSecret();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
  const child = spawn(program, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = /^listening on (\d+)$/.exec(String((await lines.next()).value))?.[1];
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: { webhookId: 'é' } });
  const send = async (by: string, at = new Date()) => {
    const signature = new Webhook(by).sign('msg_1', at, body);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AA== ${signature}`,
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  expect(await send(newSecret())).toBe(401);
  expect(await send(secret, new Date(Date.now() - 600_000))).toBe(401);
  expect(await send(secret)).toBe(204);
  expect((await lines.next()).value).toContain('msg_1 webhook.test');
});
