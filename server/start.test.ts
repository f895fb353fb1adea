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
