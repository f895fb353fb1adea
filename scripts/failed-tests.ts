import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Of what a test runner has written down: each test that failed, and what it said first. */

interface VitestReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

interface PlaywrightSuite {
  specs?: {
    file: string;
    line: number;
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

const maxLines = 12;
/** A frame of somebody else's code. */
const foreignFrame = /^\s*at .*(node_modules|<anonymous>\)?$)/;

export function failedOfVitest({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative('.', name);
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => told(`${file}: ${fullName}`, failureMessages.join('\n')));
    // A file that can't be loaded has no test.
    return failed.length === 0 && message !== '' ? [told(file, message)] : failed;
  });
}

export function failedOfPlaywright({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) =>
        told(`${file}:${line}: ${title}`, results.map(({ error }) => error?.message ?? '').join('\n')),
      ),
  );
  return [...own, ...suites.flatMap(failedOfPlaywright)];
}

function told(test: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !foreignFrame.test(line));
  return [test, ...lines.slice(0, maxLines).map((line) => `    ${line}`)].join('\n');
}
