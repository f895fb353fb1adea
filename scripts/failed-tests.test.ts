import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { failedOfPlaywright, failedOfVitest } from './failed-tests.ts';

test('tells which tests failed and what they said first, and files that could not be loaded', () => {
  const name = resolve(join('server', 'a.test.ts'));
  const passed = { status: 'passed', fullName: 'holds', failureMessages: [] };
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
  const failed = {
    status: 'failed',
    fullName: 'by a key of a member',
    failureMessages: [`\u001b[31mno\u001b[39m\n\n${long}`],
  };
  const told = failedOfVitest({
    testResults: [
      { name, message: '', assertionResults: [passed, failed] },
      { name: resolve('b.test.ts'), message: 'Cannot find module', assertionResults: [] },
      { name: resolve('c.test.ts'), message: '', assertionResults: [passed] },
    ],
  });
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(/^server.a\.test\.ts: by a key of a member\n {4}no\n {4}line 0\n/);
  expect(told[0]?.split('\n')).toHaveLength(13);
  expect(told[1]).toBe('b.test.ts\n    Cannot find module');
});

test('the same of the browser, whose tests are in suites of suites', () => {
  const of = (status: string, message?: string) => ({
    file: 'chat.spec.ts',
    line: 7,
    title: 'asks',
    tests: [{ status, results: [{ error: message === undefined ? {} : { message } }] }],
  });
  const told = failedOfPlaywright({
    suites: [{ specs: [of('expected')], suites: [{ specs: [of('unexpected', 'not seen'), of('skipped')] }] }],
  });
  expect(told).toEqual(['chat.spec.ts:7: asks\n    not seen']);
});
