import { z } from 'zod';
import type { Comments } from './comments.ts';

/** JSON Schema of the draft that OpenAPI 3.1 has, as far as the contract uses it. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/**
 * The schema of what is sent (`input`) or answered (`output`), with the words of the contract beside each field.
 *
 * What is answered may have more fields one day, and says so by not closing its objects.
 */
export function toSchema(of: z.ZodType, io: 'input' | 'output', comments: Comments): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(of, { io, unrepresentable: 'any', reused: 'inline' });
  return tidy(schema as Schema, io, comments, '');
}

function tidy(schema: Schema, io: 'input' | 'output', comments: Comments, path: string): Schema {
  const { pattern, minimum, maximum, additionalProperties, ...rest } = schema;
  const next = (each: Schema, at = path) => tidy(each, io, comments, at);
  const comment = comments.get(path);
  return {
    ...rest,
    ...(comment !== undefined && { description: comment }),
    // The format says it, and says it so that it can be read.
    ...(pattern !== undefined && schema.format === undefined && { pattern }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(additionalProperties !== undefined &&
      (typeof additionalProperties === 'object'
        ? { additionalProperties: next(additionalProperties, `${path}{}`) }
        : io === 'input' && { additionalProperties })),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, each]) => [
          name,
          next(each, path === '' ? name : `${path}.${name}`),
        ]),
      ),
    }),
    ...(schema.items && { items: next(schema.items, `${path}[]`) }),
    ...(schema.prefixItems && { prefixItems: schema.prefixItems.map((each) => next(each)) }),
    ...alternatives(schema, next),
    ...(schema.allOf && { allOf: schema.allOf.map((each) => next(each)) }),
  };
}

/** Comments of a field stand on the field, and not once more on each of its alternatives. */
function alternatives(schema: Schema, next: (each: Schema) => Schema): Pick<Schema, 'anyOf' | 'oneOf'> {
  const without = (each: Schema): Schema => {
    const { description: _, ...rest } = next(each);
    return rest;
  };
  return {
    ...(schema.anyOf && { anyOf: schema.anyOf.map(without) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(without) }),
  };
}
