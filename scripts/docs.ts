/**
 * Writes the documents that are made from the code: docs/errors.md, docs/configuration.md, docs/api.md,
 * docs/openapi.json and .env.example. With `--check` it writes nothing and fails where one is out of date, or where any
 * document names what is not there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { AppError, errorCodes, httpStatus } from '#contract/errors.ts';
import { configuration } from '#server/config/config.ts';
import { missingNames } from './named-in-docs.ts';
import { openApiDocument } from './openapi/document.ts';

const who = { anyone: 'anyone', member: 'every signed-in person', admin: 'admins' } as const;

const documents: Record<string, string> = {
  'docs/errors.md': errors(),
  'docs/configuration.md': settings(),
  'docs/api.md': api(),
  'docs/openapi.json': `${JSON.stringify(openApiDocument(), null, 1)}\n`,
  '.env.example': example(),
};

const check = process.argv.includes('--check');
for (const [path, text] of Object.entries(documents)) {
  if (check && read(path) !== text) {
    console.error(`${path} is out of date: node scripts/docs.ts`);
    process.exitCode = 1;
  }
  if (check) continue;
  mkdirSync('docs', { recursive: true });
  writeFileSync(path, text);
}

for (const line of check ? missingNames() : []) {
  console.error(line);
  process.exitCode = 1;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function errors(): string {
  const rows = errorCodes.map((code) => {
    const error = new AppError(code);
    return `| \`${code}\` | ${error.status} | ${httpStatus[error.status]} | ${error.message} |`;
  });
  return page('Errors', 'contract/errors.ts', [
    'A call that fails answers `{"error": {"status", "message", "details"}}`; `details.code` is the code. Uploads answer `storage-full` with 507.',
    '',
    '| code | status | HTTP | default text |',
    '|---|---|---|---|',
    ...rows,
  ]);
}

function settings(): string {
  return page('Configuration', 'server/config/config.ts', [
    'Everything is set by environment variables, or in a file `.env` beside package.json (`.env.example` is one to copy). Every one',
    'has a default.',
    '',
    '| variable | default | what it does |',
    '|---|---|---|',
    ...configuration.map(
      ({ name, default: usual, description }) =>
        `| \`${name}\` | ${usual === '' ? 'not set' : `\`${usual}\``} | ${description} |`,
    ),
  ]);
}

function example(): string {
  const lines = configuration.flatMap(({ name, default: usual, description }) => [
    '',
    `# ${description}`,
    `#${name}=${usual}`,
  ]);
  return ['# Copy to .env and take away the # of what you change. Made by `node scripts/docs.ts`.', ...lines, ''].join(
    '\n',
  );
}

function api(): string {
  const sections = Object.entries(calls).flatMap(([name, call]) => [
    `## ${name}`,
    call.summary,
    '',
    `Who: ${who[call.access]}. API keys: ${call.scope === null ? 'no' : `scope \`${call.scope}\``}. Plan: ${call.feature ?? 'any'}. Repeatable: ${call.idempotent ? 'yes' : call.byKey ? 'by its `Idempotency-Key`' : 'no'}. Stream: ${call.message ? 'yes' : 'no'}.`,
    '',
    '```json',
    JSON.stringify(
      {
        input: schema(call.input),
        ...(call.message && { message: schema(call.message) }),
        output: schema(call.output),
      },
      null,
      1,
    ).replaceAll(/\n\s+/g, ' '),
    '```',
    '',
  ]);
  return page('Calls', 'contract/calls.ts', [
    'Each call is `POST /v1/<name>` with `{"data": <input>}` and answers `{"result": <output>}`; see “A call” in',
    'ARCHITECTURE.md. Schemas are JSON Schema.',
    '',
    ...sections,
  ]);
}

function schema(of: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' });
  return rest;
}

function page(title: string, source: string, lines: string[]): string {
  return [`# ${title}`, '', `<!-- Made from ${source} by \`node scripts/docs.ts\`. Do not edit. -->`, '', ...lines]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
