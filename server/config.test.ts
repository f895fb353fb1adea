import { expect, test } from 'vitest';
import { ConfigError, configuration, readConfig } from './config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('needs nothing', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: 'localhost',
    dataDir: `${process.cwd()}/data`,
    publicUrl: 'http://localhost:3000',
    billing: 'off',
    signup: 'first',
    maxFileBytes: 500 * 1024 * 1024,
    bucket: 'footnote',
    ocrLanguages: ['eng', 'deu', 'fra', 'spa'],
    branding: { name: 'Footnote' },
    trustProxy: false,
    production: false,
  });
});

test('takes what is set, and an empty variable as not set', () => {
  const config = readConfig({
    PORT: '8080',
    PUBLIC_URL: 'https://docs.example.com/',
    SIGNUP: 'open',
    DATA_DIR: '/x y/ü',
    LOGO_URL: ' ',
  });
  expect(config).toMatchObject({
    port: 8080,
    publicUrl: 'https://docs.example.com',
    signup: 'open',
    dataDir: '/x y/ü',
  });
  expect(config.branding.logoUrl).toBeUndefined();
  expect(readConfig({ DATABASE_URL: 'postgres://u:p@db.example.com:5432/footnote' }).databaseUrl).toContain(
    'db.example.com',
  );
});

test('names all problems at once, in plain words', () => {
  const problems = problemsOf({
    PORT: 'http',
    SIGNUP: 'yes',
    MAX_FILE_MB: '0',
    PUBLIC_URL: 'docs.example.com',
    SALES_EMAIL: 'x',
  });
  expect(problems).toEqual([
    'PORT must be a number. It is "http".',
    'PUBLIC_URL must be a web address (http:// or https://). It is "docs.example.com".',
    'SIGNUP must be open or first. It is "yes".',
    'MAX_FILE_MB must be at least 1. It is "0".',
    'SALES_EMAIL must be an e-mail address. It is "x".',
  ]);
});

test('refuses to take payment, which is not built yet', () => {
  expect(problemsOf({ BILLING: 'stripe' })).toEqual([
    'BILLING cannot be stripe: payment is not built yet; use off. It is "stripe".',
  ]);
});

test.each(['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'BUCKET', 'LOG_LEVEL'])('refuses nonsense in %s', (name) => {
  expect(problemsOf({ [name]: '§ nonsense §' })).toHaveLength(1);
});

test('does not show the password of a database address that is wrong', () => {
  expect(problemsOf({ DATABASE_URL: 'mysql://user:hunter2@db/x' }).join()).not.toContain('hunter2');
});

test('describes every variable', () => {
  for (const { name, description } of configuration) {
    expect(name).toMatch(/^[A-Z_]+$/);
    expect(description).toMatch(/\.$/);
  }
  expect(configuration.find(({ name }) => name === 'PORT')?.default).toBe('3000');
});
