import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ErrorCode } from '#contract/errors.ts';

/** JSON Schema, as far as the document has it. */
export interface Schema {
  [keyword: string]: unknown;
}

interface Content {
  content: { 'application/json': { schema: Schema; example?: unknown } };
}

export interface Operation {
  operationId: string;
  'x-errors': ErrorCode[];
  'x-stream'?: { message: Schema; example?: unknown[] };
  requestBody: Content;
  responses: { 200: Content };
}

interface Document {
  'x-errors': ErrorCode[];
  paths: Record<string, { post?: Operation }>;
}

/** The document as programs read it, from the repository. */
export const apiDocument: Document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);

export function operationOf(call: string): Operation | undefined {
  return apiDocument.paths[`/${call}`]?.post;
}

const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false, discriminator: false }));
const compiled = new Map<Schema, ValidateFunction>();

/**
 * What a value has that the schema does not: wrong types, missing fields, and fields that the document does not name.
 * @returns each with its JSON pointer; null where it fits
 */
export function misfit(schema: Schema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema));
  compiled.set(schema, validate);
  if (validate(value)) return null;
  const errors: ErrorObject[] = validate.errors ?? [];
  const said = errors.map(({ instancePath, message, params }) => {
    const which = params.additionalProperty ?? params.unevaluatedProperty;
    return `${instancePath || '/'} ${message}${which === undefined ? '' : ` (${which})`}`;
  });
  return said.join('; ').slice(0, 500);
}

/** In the document objects are open, since fields may be added; what is answered today has those that it names. */
function closed(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'example' || keyword === 'default' || keyword === 'enum' || keyword === 'const')
      return [keyword, value];
    if (Array.isArray(value)) return [keyword, value.map((each) => (isSchema(each) ? closed(each) : each))];
    if (keyword === 'properties' && isSchema(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each as Schema)]))];
    }
    return [keyword, isSchema(value) ? closed(value) : value];
  });
  const made: Schema = Object.fromEntries(entries);
  if (made.properties !== undefined && made.additionalProperties === undefined) made.additionalProperties = false;
  return made;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
