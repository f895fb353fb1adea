import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Loads the app in a process of its own, and names the packages that came with it. */
const script = `
  import { registerHooks } from 'node:module';
  const names = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name !== undefined) names.add(name);
      return next(url, context);
    },
  });
  await import('#server/app.ts');
  console.log(JSON.stringify([...names]));
`;

test('a start does not load what most companies never use, or not yet', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const names: string[] = JSON.parse(stdout);
  expect(names).toContain('fastify');
  const large = ['oidc-provider', '@modelcontextprotocol/server', 'eld', '@aws-sdk/client-s3', 'nodemailer', 'stripe'];
  expect(names.filter((name) => large.includes(name) || name.startsWith('@simplewebauthn/'))).toEqual([]);
});

/**
 * What the first question takes of a processor for its words, in ms, in a process that has made ready as `main.ts`
 * does.
 */
const firstQuestion = `
  const { readFileSync } = await import('node:fs');
  const main = readFileSync('server/main.ts', 'utf8');
  const made = [...main.matchAll(/import \\{ (prepare\\w+) \\} from '\\.(.+)';/g)];
  for (const [, name, file] of made) (await import('#server' + file))[name]();
  const { isEnglish } = await import('#server/features/retrieval/question/english-words.ts');
  const before = process.threadCpuUsage();
  isEnglish('receipts');
  const { user, system } = process.threadCpuUsage(before);
  console.log((user + system) / 1000);
`;

test('the first question does not wait for words to be read', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', firstQuestion]);
  expect(Number(stdout)).toBeLessThan(5);
});
