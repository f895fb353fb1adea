import { expect, test } from 'vitest';
import { isPublicPath, sameOriginPath } from './location.ts';

test.each([
  ['/admin/dashboard?x=1#a', '/admin/dashboard?x=1#a'],
  ['/documents/1/2?cite=3', '/documents/1/2?cite=3'],
  ['//evil.example/chat', '/chat'],
  ['/\\evil.example', '/chat'],
  ['https://evil.example/', '/chat'],
  ['javascript:alert(1)', '/chat'],
  ['/login', '/chat'],
  ['', '/chat'],
])('after signing in, %j leads to %j', (from, to) => {
  expect(sameOriginPath(from)).toBe(to);
});

test('knows the public pages', () => {
  expect(['/', '/login', '/login/', '/signup', '/pricing', '/chat', '/loginx', '/admin'].filter(isPublicPath)).toEqual([
    '/',
    '/login',
    '/login/',
    '/signup',
    '/pricing',
  ]);
});
