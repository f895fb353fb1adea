import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What Vitest writes down, as far as it is read here. */
export interface VitestReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** The same of Playwright, whose report is a suite of suites. */
export interface PlaywrightSuite {
  specs?: {
    file: string;
    line: number;
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

/** Of what a test has said: the assertion and where it stands. */
const maxLines = 12;
/** A frame of somebody else's code. */
const foreignFrame = /^\s*at .*(node_modules|<anonymous>\)?$)/;

/** @returns each test that failed, with what it said first; also files that could not be loaded */
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

/** @returns each test that failed, also where it passed when it was tried again, with what it said first */
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
