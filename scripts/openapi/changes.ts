import { apiKeyScopes } from '#contract/api-keys.ts';
import type { Schema } from './schemas.ts';
import { refusedNow, unreadableNow } from './shape-changes.ts';

export interface Content {
  content?: Record<string, { schema: Schema }>;
}
export interface Operation {
  'x-access': 'anyone' | 'member' | 'admin';
  'x-scope': (typeof apiKeyScopes)[number] | null;
  'x-feature': string | null;
  'x-idempotent': boolean;
  'x-errors': string[];
  'x-stream'?: { message: Schema };
  parameters?: { name: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
/** What clients of the API document rely on. */
export interface Promised {
  'x-errors': string[];
  'x-error-codes': Record<string, { status: string; http: number }>;
  paths: Record<string, Record<string, Operation>>;
}

/** Who may, from all to few. */
const access = ['anyone', 'member', 'admin'];

/**
 * What would break a client of an earlier document: requests that are refused now, answers that are not what they were.
 * More calls, fields, values and errors may come, as the document says; what is taken may become more.
 * @returns a line for each, empty where nothing breaks
 */
export function breakingChanges(before: Promised, now: Promised): string[] {
  return [
    ...Object.entries(before['x-error-codes']).flatMap(([code, old]) => {
      const said = now['x-error-codes'][code];
      if (!said) return [`the error ${code}: is gone`];
      return said.status === old.status && said.http === old.http ? [] : [`the error ${code}: has another status`];
    }),
    ...Object.entries(before.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, old]) => {
        const operation = now.paths[path]?.[method];
        if (!operation) return [`${method} ${path}: is gone`];
        const errors = [...now['x-errors'], ...operation['x-errors']];
        const lost = old['x-errors'].filter((code) => !errors.includes(code));
        return [
          ...lost.map((code) => `the error ${code}: comes no more`),
          ...rights(old, operation),
          ...shapes(old, operation),
        ].map((line) => `${method} ${path}: ${line}`);
      }),
    ),
  ];
}

function rights(before: Operation, now: Operation): string[] {
  const scope = (of: Operation) => (of['x-scope'] === null ? apiKeyScopes.length : apiKeyScopes.indexOf(of['x-scope']));
  return [
    ...(access.indexOf(now['x-access']) > access.indexOf(before['x-access']) ? [`for ${now['x-access']} alone`] : []),
    ...(scope(now) > scope(before) ? [`asks keys for the scope ${now['x-scope'] ?? 'that none has'}`] : []),
    ...(now['x-feature'] !== null && now['x-feature'] !== before['x-feature'] ? [`asks for ${now['x-feature']}`] : []),
    ...(before['x-idempotent'] && !now['x-idempotent'] ? ['must not be sent twice any more'] : []),
  ];
}

function shapes(before: Operation, now: Operation): string[] {
  const old = before['x-stream']?.message;
  const message = now['x-stream']?.message;
  return [
    ...parameters(before, now),
    ...contents(before.requestBody, now.requestBody, 'input', refusedNow),
    ...Object.entries(before.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, answer]) => contents(answer, now.responses[status], 'output', unreadableNow)),
    ...(old && !message ? ['is no stream any more'] : []),
    ...(old && message ? unreadableNow(old, message, 'message') : []),
  ];
}

function parameters(before: Operation, now: Operation): string[] {
  return (now.parameters ?? []).flatMap((parameter) => {
    const old = before.parameters?.find(({ name }) => name === parameter.name);
    if (!old) return parameter.required ? [`${parameter.name}: has to be sent`] : [];
    const required = parameter.required && !old.required ? [`${parameter.name}: has to be sent`] : [];
    return [...required, ...refusedNow(old.schema, parameter.schema, parameter.name)];
  });
}

function contents(
  before: Content | undefined,
  now: Content | undefined,
  path: string,
  differ: (before: Schema, now: Schema, path: string) => string[],
): string[] {
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const said = now?.content?.[type];
    return said ? differ(schema, said.schema, path) : [`${path}: is no ${type} any more`];
  });
}
