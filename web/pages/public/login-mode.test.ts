import { expect, test } from 'vitest';
import { addressOf, codeIn, type LoginMode, modeOf } from './login-mode.ts';

test.each<[search: string, mode: LoginMode, code: string | null]>([
  ['', 'login', null],
  ['?mode=forgotPassword', 'forgotPassword', null],
  ['?oobCode=abc-_1', 'resetPassword', 'abc-_1'],
  // As Google's own mails write it.
  ['?mode=resetPassword&oobCode=abc&apiKey=k&lang=en', 'resetPassword', 'abc'],
  ['?mode=signIn&oobCode=abc', 'resetPassword', 'abc'],
  ['?oobCode=', 'resetPassword', null],
  ['?oobCode=%20', 'resetPassword', null],
  ['?mode=resetPassword', 'resetPassword', null],
  ['?mode=verifyEmail', 'login', null],
  ['?mode=__proto__', 'login', null],
])('the address %j opens %s with code %j', (search, mode, code) => {
  expect([modeOf(search), codeIn(search)]).toEqual([mode, code]);
});

test.each<LoginMode>(['login', 'forgotPassword', 'resetPassword'])('the address of %s leads to it', (mode) => {
  expect(modeOf(new URL(addressOf(mode), 'https://app.invalid').search)).toBe(mode);
});
