import type { Content, Operation, Promised } from './changes.ts';
import type { Schema } from './schemas.ts';

/** What of an API document its clients rely on: without words, examples and what is told of errors for people. */
export function promisedOf(document: Promised): Promised {
  const codes = Object.entries(document['x-error-codes']);
  return {
    'x-errors': document['x-errors'],
    'x-error-codes': Object.fromEntries(codes.map(([code, { status, http }]) => [code, { status, http }])),
    paths: mapped(document.paths, (methods) => mapped(methods, operation)),
  };
}

function operation(of: Operation): Operation {
  const { parameters, requestBody, responses, 'x-stream': stream } = of;
  return {
    'x-access': of['x-access'],
    'x-scope': of['x-scope'],
    'x-feature': of['x-feature'],
    'x-idempotent': of['x-idempotent'],
    'x-errors': of['x-errors'],
    ...(stream && { 'x-stream': { message: bare(stream.message) } }),
    ...(parameters && {
      parameters: parameters.map(({ name, required = false, schema }) => ({ name, required, schema: bare(schema) })),
    }),
    ...(requestBody && { requestBody: content(requestBody) }),
    responses: Object.fromEntries(
      Object.entries(responses).flatMap(([status, each]) => (status.startsWith('2') ? [[status, content(each)]] : [])),
    ),
  };
}

function content({ content: types }: Content): Content {
  return types ? { content: mapped(types, ({ schema }) => ({ schema: bare(schema) })) } : {};
}

function bare({ description: _, default: _default, ...schema }: Schema): Schema {
  const { properties, items, prefixItems, anyOf, oneOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, bare) }),
    ...(items && { items: bare(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(bare) }),
    ...(anyOf && { anyOf: anyOf.map(bare) }),
    ...(oneOf && { oneOf: oneOf.map(bare) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: bare(additionalProperties) }),
  };
}

function mapped<Value, Made>(of: Record<string, Value>, make: (value: Value) => Made): Record<string, Made> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, make(value)]));
}
