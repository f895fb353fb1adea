/**
 * Everything that must hold, in one run: format, lint, types, import rules, dead code, file sizes, generated documents,
 * tests, browser tests. `npm test` runs all; `npm test -- types unit` only those named. Ends with one line of totals.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failedOfPlaywright, failedOfVitest, type PlaywrightSuite, type VitestReport } from './failed-tests.ts';

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** Which tests failed, and how; absent where a check has no tests. */
  failures?: string[];
}

interface Check {
  name: string;
  command: string[];
  /** Reads the totals of a test runner's report; a check without one counts as one. */
  totals?: () => Totals;
}

const vitestReport = join('.cache', 'vitest.json');
const playwrightReport = join('.cache', 'playwright.json');

const checks: Check[] = [
  { name: 'lint', command: ['biome', 'ci', '--log-level=warn', '.'] },
  { name: 'lint-styles', command: ['stylelint', 'web/**/*.css'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types-web', command: ['tsc', '-p', 'web'] },
  {
    name: 'imports',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.mjs',
      'client',
      'contract',
      'server',
      'simulators',
      'web',
      'scripts',
      'evals',
      'bench',
      'crash',
      'e2e',
      'samples',
    ],
  },
  { name: 'dead-code', command: ['knip'] },
  { name: 'sizes', command: ['node', 'scripts/check-sizes.ts'] },
  { name: 'closures', command: ['node', 'scripts/check-closures.ts'] },
  { name: 'first-loads', command: ['node', 'scripts/check-first-loads.ts'] },
  { name: 'docs', command: ['node', 'scripts/docs.ts', '--check'] },
  { name: 'openapi', command: ['redocly', 'lint', 'docs/openapi.json', '--extends', 'recommended-strict'] },
  { name: 'notices', command: ['node', 'scripts/notices/notices.ts', '--check'] },
  {
    name: 'unit',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    totals: () => vitestTotals(JSON.parse(readFileSync(vitestReport, 'utf8'))),
  },
  {
    name: 'browser',
    command: ['playwright', 'test'],
    totals: () => playwrightTotals(JSON.parse(readFileSync(playwrightReport, 'utf8'))),
  },
];

/** A check asks nobody on the internet for a newer version of its tool, and tells nobody of us. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const wanted = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
// Of those without tests each takes one processor, and two go side by side. Tests of the browser come after the unit
// tests: beside each other they are a tenth faster, and both meet moments that a machine seldom has.
const alone = chosen.filter(({ totals }) => !totals);
await Promise.all([perform(alone, 'captured'), perform(alone, 'captured')]);
await perform(
  chosen.filter(({ totals }) => totals),
  'shown',
);
// Once more, after thousands of lines: whoever reads the end alone knows what to look at.
for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`${failures.length > 0 ? '\n' : ''}${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;

type Output = 'captured' | 'shown';

/** Runs one check after the other until none is left; who shares the list takes the next. */
async function perform(waiting: Check[], output: Output): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const started = performance.now();
    const { ok, said } = await run(check.command, output);
    const totals = totalsOf(check, ok);
    sum.passed += totals.passed;
    sum.failed += totals.failed;
    sum.skipped += totals.skipped;
    if (totals.failed > 0) failures.push(...(totals.failures?.length ? totals.failures : [check.name]));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(said);
    console.log(`${totals.failed === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`);
  }
}

/** @returns whether it went well, and what it said where that is captured: two at once would say it at once */
function run([program = '', ...args]: string[], output: Output): Promise<{ ok: boolean; said: string }> {
  if (program === 'vitest') rmSync(vitestReport, { force: true });
  if (program === 'playwright') rmSync(playwrightReport, { force: true });
  const command = program === 'node' ? process.execPath : join('node_modules', '.bin', program);
  return new Promise((resolve, reject) => {
    const stream = output === 'shown' ? 'inherit' : 'pipe';
    const child = spawn(command, args, {
      stdio: ['ignore', stream, stream],
      shell: process.platform === 'win32',
      env: { ...process.env, ...quiet },
    });
    let said = '';
    for (const each of [child.stdout, child.stderr]) {
      if (!each) continue;
      each.setEncoding('utf8').on('data', (piece: string) => {
        said += piece;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, said }));
  });
}

/** A runner that failed without one failed test (it crashed, or found none) is a failure all the same. */
function totalsOf(check: Check, ok: boolean): Totals {
  if (!check.totals) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  try {
    const totals = check.totals();
    return ok || totals.failed > 0 ? totals : { ...totals, failed: 1 };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function vitestTotals(
  report: VitestReport & {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
  },
): Totals {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: failedOfVitest(report),
  };
}

function playwrightTotals(
  report: PlaywrightSuite & {
    stats: { expected: number; unexpected: number; skipped: number; flaky: number };
  },
): Totals {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped, failures: failedOfPlaywright(report) };
}
