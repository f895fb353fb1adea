import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { breakingChanges, type Operation, type Promised } from './changes.ts';
import { promisedOf } from './promised.ts';
import type { Schema } from './schemas.ts';

const read = (file: string): Promised => JSON.parse(readFileSync(file, 'utf8'));

test('nothing that the released document promises is broken', () => {
  // On purpose, and with a line in the changelog: node scripts/openapi/release.ts.
  expect(breakingChanges(read('docs/openapi-released.json'), read('docs/openapi.json'))).toEqual([]);
});

test('what is kept of a document is all that breaking is about', () => {
  const document = read('docs/openapi.json');
  expect(breakingChanges(document, promisedOf(document))).toEqual([]);
  expect(breakingChanges(promisedOf(document), document)).toEqual([]);
  expect(JSON.stringify(promisedOf(document))).not.toMatch(/"(description|example|summary)":"/);
});

const text: Schema = { type: 'string' };
const file: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: text,
    state: { type: 'string', enum: ['ready', 'failed'] },
  },
  required: ['id', 'name'],
};
const told = (type: string): Schema => ({ type: 'object', properties: { type: { const: type } }, required: ['type'] });

/** A document with one call, which a test changes in one place. */
function documentWith(change: (operation: Operation, document: Promised) => unknown = () => {}): Promised {
  const operation: Operation = {
    'x-access': 'member',
    'x-scope': 'read',
    'x-feature': null,
    'x-idempotent': true,
    'x-errors': ['file-not-found'],
    'x-stream': { message: { oneOf: [told('status'), told('token')] } },
    parameters: [{ name: 'Version', required: true, schema: text }],
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              name: { type: 'string', maxLength: 100 },
              order: { type: 'string', enum: ['up', 'down'] },
              limit: { anyOf: [{ type: 'integer', minimum: 1, maximum: 50 }, { type: 'null' }] },
              ids: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 10 },
            },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
    },
    responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: file } } } } },
  };
  const document: Promised = {
    'x-errors': ['internal'],
    'x-error-codes': {
      internal: { status: 'INTERNAL', http: 500 },
      'file-not-found': { status: 'NOT_FOUND', http: 404 },
      'file-gone': { status: 'NOT_FOUND', http: 404 },
    },
    paths: { '/list': { post: structuredClone(operation) } },
  };
  const changed = document.paths['/list']?.post;
  if (changed) change(changed, document);
  return document;
}

const input = ({ requestBody }: Operation) => requestBody?.content?.['application/json']?.schema as Required<Schema>;
const field = (operation: Operation, name: string) => input(operation).properties[name] as Required<Schema>;
const answered = ({ responses }: Operation) =>
  responses[200]?.content?.['application/json']?.schema.items as Required<Schema>;

describe('a change that breaks clients is found where', () => {
  test.each<[string, (operation: Operation, document: Promised) => unknown, RegExp]>([
    ['a call is gone', (_, document) => void delete document.paths['/list'], /post \/list: is gone/],
    ['admins alone may', (of) => Object.assign(of, { 'x-access': 'admin' }), /for admin alone/],
    ['keys need a larger scope', (of) => Object.assign(of, { 'x-scope': 'write' }), /the scope write/],
    ['keys may not any more', (of) => Object.assign(of, { 'x-scope': null }), /that none has/],
    ['a plan is needed', (of) => Object.assign(of, { 'x-feature': 'ask' }), /asks for ask/],
    ['it cannot be repeated', (of) => Object.assign(of, { 'x-idempotent': false }), /must not be sent twice/],
    [
      'a header is needed',
      (of) => void of.parameters?.push({ name: 'X', required: true, schema: text }),
      /X: has to be sent/,
    ],
    ['a field has to be sent', (of) => void input(of).required.push('order'), /input\.order: has to be sent/],
    [
      'a field is new and has to be sent',
      (of) => {
        input(of).properties.kind = text;
        input(of).required.push('kind');
      },
      /input\.kind: has to be sent/,
    ],
    ['a field is not taken', (of) => void delete input(of).properties.order, /input\.order: is not taken/],
    ['a value is not taken', (of) => Object.assign(field(of, 'order'), { enum: ['up'] }), /takes no "down"/],
    ['a list of values is new', (of) => Object.assign(field(of, 'name'), { enum: ['a'] }), /takes certain values only/],
    ['less text is taken', (of) => Object.assign(field(of, 'name'), { maxLength: 50 }), /maxLength is 50/],
    ['fewer items are taken', (of) => Object.assign(field(of, 'ids'), { maxItems: 5 }), /maxItems is 5/],
    ['a pattern is new', (of) => Object.assign(field(of, 'name'), { pattern: '^a' }), /has to be of pattern/],
    [
      'a type is another one',
      (of) => Object.assign(field(of, 'name'), { type: 'integer' }),
      /takes integer and no string/,
    ],
    ['an alternative is gone', (of) => void field(of, 'limit').anyOf.pop(), /input\.limit/],
    [
      'an alternative is narrower',
      (of) => Object.assign(field(of, 'limit').anyOf, { 0: { type: 'integer', minimum: 2 } }),
      /minimum is 2/,
    ],
    [
      'a field is answered no more',
      (of) => void delete answered(of).properties.name,
      /output\[\]\.name: is gone|name: is gone/,
    ],
    ['a field may be absent', (of) => Object.assign(answered(of), { required: ['id'] }), /name: may be absent/],
    [
      'a field may be null',
      (of) => Object.assign(answered(of).properties, { name: { anyOf: [text, { type: 'null' }] } }),
      /was string, is null/,
    ],
    [
      'a field has another type',
      (of) => Object.assign(answered(of).properties, { name: { type: 'number' } }),
      /was string, is number/,
    ],
    ['a field is no id any more', (of) => Object.assign(answered(of).properties, { id: text }), /was a uuid/],
    ['it is no stream any more', (of) => void delete of['x-stream'], /is no stream any more/],
    [
      'a message comes no more',
      (of) => Object.assign(of, { 'x-stream': { message: told('token') } }),
      /status comes no more/,
    ],
    [
      'an error has another code',
      (of) => Object.assign(of, { 'x-errors': ['file-gone'] }),
      /file-not-found: comes no more/,
    ],
    ['a code is gone', (_, document) => void delete document['x-error-codes']['file-gone'], /file-gone: is gone/],
    [
      'a code has another status',
      (_, document) => {
        document['x-error-codes']['file-gone'] = { status: 'ABORTED', http: 409 };
      },
      /another status/,
    ],
  ])('%s', (_, change, said) => {
    const found = breakingChanges(documentWith(), documentWith(change));
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toMatch(said);
  });
});

describe('clients go on where', () => {
  test.each<[string, (operation: Operation, document: Promised) => unknown]>([
    ['nothing changes', () => {}],
    ['a call is new', (of, document) => Object.assign(document.paths, { '/other': { post: of } })],
    ['more people may', (of) => Object.assign(of, { 'x-access': 'anyone' })],
    ['a field may be sent', (of) => Object.assign(input(of).properties, { kind: text })],
    ['a field need not be sent', (of) => Object.assign(input(of), { required: [] })],
    ['more values are taken', (of) => void field(of, 'order').enum.push('sideways')],
    ['more text is taken', (of) => Object.assign(field(of, 'name'), { maxLength: 200 })],
    [
      'null is taken, too',
      (of) => Object.assign(field(of, 'name'), { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }] }),
    ],
    ['a field is answered besides', (of) => Object.assign(answered(of).properties, { size: { type: 'integer' } })],
    ['a field is always there', (of) => void answered(of).required.push('state')],
    ['a state is new', (of) => void answered(of).properties.state?.enum?.push('partial')],
    [
      'a message is new',
      (of) => Object.assign(of, { 'x-stream': { message: { oneOf: [told('status'), told('token'), told('draft')] } } }),
    ],
    ['an error is new', (of) => void of['x-errors'].push('file-gone')],
    [
      'any call may answer an error',
      (of, document) => {
        document['x-errors'].push('file-not-found');
        of['x-errors'] = [];
      },
    ],
  ])('%s', (_, change) => {
    expect(breakingChanges(documentWith(), documentWith(change))).toEqual([]);
  });
});
