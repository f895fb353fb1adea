import fc from '#server/testing/fast-check.ts';
import { apiDocument, isSchema, type Schema } from './api-document.ts';

/** What of the service's answers is put into later requests, so that some of them are about what is there. */
export interface Known {
  ids: string[];
  paths: string[];
}

export interface FuzzRequest {
  call: string;
  data: unknown;
  /** Which of the bearers sends it, by its place. */
  bearer: number;
  stream: boolean;
}

/** What people do not type, and programs send. */
const odd = [
  null,
  true,
  -1,
  2 ** 53,
  1e308,
  0.1,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  'a'.repeat(9000),
  '../../etc/passwd',
  "'; drop table documents; --",
  '%00%0a',
  [],
  [[]],
  {},
  { toString: 1 },
  JSON.parse('{"__proto__":{"admin":true}}'),
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
];

/** Streams until the server ends it, about a minute later: it is sent what it refuses, and nothing else. */
const endless = new Set(['watchFiles']);

/** Requests of all calls: most as the document has them, the others changed in one place so that something is wrong. */
export function requests(known: Known, bearers: number): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(apiDocument.paths).flatMap(([path, { post }]) =>
    post?.requestBody && 'application/json' in post.requestBody.content ? [{ call: path.slice(1), post }] : [],
  );
  return fc.constantFrom(...operations).chain(({ call, post }) => {
    const { properties } = post.requestBody.content['application/json'].schema as { properties: { data: Schema } };
    const fitting = fittingOf(properties.data, known);
    const wrong = fc
      .tuple(fitting, fc.nat(), fc.constantFrom(...odd))
      .map(([data, at, oddity]) => spoil(data, at, oddity));
    return fc.record({
      call: fc.constant(call),
      data: endless.has(call)
        ? fc.constantFrom<unknown>(...odd.slice(1)).filter((each) => !isSchema(each))
        : fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 2, arbitrary: wrong }),
      bearer: fc.nat(bearers - 1),
      stream: fc.constant(post['x-stream'] !== undefined).chain((can) => (can ? fc.boolean() : fc.constant(false))),
    });
  });
}

/** Values that a schema allows; strings in the ways in which they are odd and allowed. */
function fittingOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, type, const: only, enum: some } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(some)) return fc.constantFrom<unknown>(...some);
  const alternatives = anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : null);
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map((each: Schema) => fittingOf(each, known)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string':
      return stringOf(schema, known);
    case 'array':
      return fc.array(fittingOf((schema.items ?? {}) as Schema, known), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 3), Math.max(3, Number(schema.minItems ?? 0))),
      });
    case 'object':
      return objectOf(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const model = Object.fromEntries(properties.map(([name, each]) => [name, fittingOf(each, known)]));
  return fc.record(model, { requiredKeys: (schema.required ?? []) as string[] });
}

function numberOf({ minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  const min = Number(minimum ?? (exclusiveMinimum === undefined ? -1000 : Number(exclusiveMinimum) + 1));
  return fc.integer({ min, max: Math.min(Number(maximum ?? 2 ** 31 - 1), 2 ** 31 - 1) });
}

function stringOf({ format, minLength, maxLength, pattern }: Schema, { ids, paths }: Known): fc.Arbitrary<string> {
  if (format === 'uuid') return ids.length > 0 ? fc.oneof(fc.constantFrom(...ids), fc.uuid()) : fc.uuid();
  const moment = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  if (format === 'date-time') return moment.map((date) => date.toISOString());
  if (format === 'date') return moment.map((date) => date.toISOString().slice(0, 10));
  const bounds = { minLength: Number(minLength ?? 0), maxLength: Math.min(Number(maxLength ?? 60), 60) };
  const plain = fc.string({ ...bounds, unit: 'grapheme' }).filter((text) => text.length <= Number(maxLength ?? 1e9));
  // A pattern that names what it allows is followed; others forbid characters, which few strings have.
  if (typeof pattern === 'string' && !/^\^(\[\^|\\P)/.test(pattern)) return fc.stringMatching(new RegExp(pattern));
  if (typeof pattern === 'string') return plain.filter((text) => new RegExp(pattern, 'u').test(text));
  const longest = typeof maxLength === 'number' && maxLength <= 10_000 ? [fc.constant('x'.repeat(maxLength))] : [];
  const there = paths.length > 0 ? [fc.constantFrom(...paths)] : [];
  return fc.oneof(plain, plain, ...longest, ...there);
}

/** Puts something odd in one place, or takes a field away, or adds one. */
function spoil(data: unknown, at: number, oddity: unknown): unknown {
  if (!isSchema(data) || Object.keys(data).length === 0) return oddity;
  const fields = Object.keys(data);
  const field = fields[at % fields.length] ?? '';
  const { [field]: value, ...rest } = data;
  if (at % 5 === 0) return rest;
  if (at % 5 === 1) return { ...data, unheardOf: oddity };
  return { ...rest, [field]: at % 2 === 0 && isSchema(value) ? spoil(value, at >> 1, oddity) : oddity };
}
