import { expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { toAppError } from './errors.ts';

const ofDatabase = (code: string) => new Error('Failed query', { cause: Object.assign(new Error('why'), { code }) });

test.each([
  ['a transaction that the database has ended, since two waited for each other', '40P01', 'unavailable'],
  ['a database that takes no more connections', '53300', 'unavailable'],
  ['a database that is shutting down', '57P01', 'unavailable'],
  ['a text with a character that the database can not hold', '22021', 'invalid-input'],
  ['such a text in JSON', '22P05', 'invalid-input'],
  ['a broken constraint', '23505', 'internal'],
  ['a statement that was ended', '57014', 'internal'],
] as const)('%s', (_, code, told) => {
  const thrown = ofDatabase(code);
  const error = toAppError(thrown);
  expect(error.code).toBe(told);
  // For the log.
  expect(error.cause).toBe(thrown);
});

test('what is of the catalogue stays as it is, however deep', () => {
  const refused = new AppError('not-retryable');
  expect(toAppError(new Error('outer', { cause: refused }))).toBe(refused);
});
