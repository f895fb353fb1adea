import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { jobs } from '#server/jobs/registry.ts';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { targets: { expr: string; legendFormat: string }[] }[];
}
const { groups }: Rules = parse(textOf('alerts.yaml'));
const { panels }: Dashboard = JSON.parse(textOf('dashboard.json'));
const asked = [
  ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

// Prometheus gives every series the name of its scrape job as `job`.
test('kinds of jobs are told apart by a label that Prometheus has no use for itself', () => {
  for (const expr of asked) {
    for (const [, job] of expr.matchAll(/[{,]\s*job!?[=~]+"([^"]+)"/g)) expect(job).toBe('footnote');
    for (const [, named = ''] of expr.matchAll(/[{,]\s*kind!?[=~]+"([^"]+)"/g))
      for (const job of named.split('|')) expect(Object.keys(jobs)).toContain(job);
    expect(expr).not.toMatch(/\(job\)|exported_job/);
    // All processes tell the same of them.
    expect(expr).not.toMatch(/sum\b.*footnote_jobs_/);
  }
  expect(asked.join('\n')).toContain('by (kind)');
  for (const file of ['alerts.yaml', 'dashboard.json'])
    expect(textOf(file)).not.toMatch(/\$labels\.job\b|\{\{job\}\}|exported_job/);
});

test('what every program tells of itself is asked of ours alone', () => {
  const ofAll = asked.filter((expr) => /\b(?:up|process_\w+|nodejs_\w+)\b/.test(expr));
  expect(ofAll.length).toBeGreaterThan(4);
  for (const expr of ofAll) expect(expr).toContain('{job="footnote"}');
});

test('of the last backup all processes tell the same, and it is asked once', () => {
  const ofBackup = asked.filter((expr) => expr.includes('footnote_last_backup_timestamp_seconds'));
  expect(ofBackup).toHaveLength(2);
  for (const expr of ofBackup) expect(expr).toMatch(/time\(\) - max\(footnote_last_backup_timestamp_seconds\)/);
});

test('of memory it warns above what a healthy process was measured with, where it grows from day to day', () => {
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'FootnoteMemoryGrows');
  const bound = Number(/> (\d+(?:\.\d+)?e9)\b/.exec(rule?.expr ?? '')?.[1]);
  const operations = readFileSync(join(folder, '../../docs/operations.md'), 'utf8');
  const measured = [...operations.matchAll(/; (\d+\.\d) GB of memory/g)].map(
    ([, gigabytes]) => Number(gigabytes) * 1e9,
  );
  expect(measured.length).toBeGreaterThan(3);
  expect(bound).toBeGreaterThan(Math.max(...measured));
  // A restart begins anew, and fills its caches.
  expect(rule?.expr).toMatch(/\[6h\] offset 1d\)[\s\S]* time\(\) - process_start_time_seconds\{job="footnote"\} > /);
});
