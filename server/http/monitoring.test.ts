import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { calls } from '#contract/calls.ts';
import { backUp } from '#server/backup/backup.ts';
import { sql } from '#server/db/drizzle.ts';
import { jobs } from '#server/jobs/registry.ts';
import { diskFiles } from '#server/ports/files/disk.ts';
import { test } from '#server/testing/company.ts';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const files = ['alerts.yaml', 'dashboard.json'];
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

test.for(files)('%s asks for what /metrics tells, by names that there are', async (file, { app, company }) => {
  await company.client.call('getPlans', null);
  await app.app.db.asSystem((tx) =>
    tx.execute(sql`insert into pgboss.job (name, data, state) values ('sweep', '{}', 'failed')`),
  );
  const told = await (await app.fetch('/metrics')).text();
  const names = new Set([...told.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  const text = textOf(file);
  const asked = new Set(text.match(/\b(?:footnote|process|nodejs)_[a-z0-9_]+/g));
  expect(asked.size).toBeGreaterThan(5);
  for (const name of asked) expect(names).toContain(name.replace(/_(?:bucket|count|sum)$/, ''));
  for (const [, call = ''] of text.matchAll(/[{,]\s*name=\\?"(\w+)\\?"/g)) expect(Object.keys(calls)).toContain(call);
  expect(told).toMatch(/^footnote_jobs_failed\{kind="sweep"\} [1-9]/m);
  for (const [, kind = ''] of text.matchAll(/[{,]\s*kind!?[=~]+\\?"([\w|-]+)\\?"/g))
    for (const each of kind.split('|')) expect(Object.keys(jobs)).toContain(each);
});

test('the last good backup is told, wherever it was made, and 0 where there was none', async ({ app }) => {
  const told = async () =>
    Number(/^footnote_last_backup_timestamp_seconds (\S+)$/m.exec(await (await app.fetch('/metrics')).text())?.[1]);
  expect(await told()).toBe(0);
  // A pod's own, of which nothing is left behind it.
  const place = await mkdtemp(join(tmpdir(), 'footnote-pod-'));
  onTestFinished(() => rm(place, { recursive: true }));
  const make = () =>
    backUp({
      connection: app.app.db.connection,
      files: diskFiles({ root: join(app.config.dataDir, 'files') }),
      folder: join(place, 'backup'),
      passphrase: null,
      secretKeyPath: join(place, 'secret.key'),
    });
  const before = Date.now() / 1000;
  await make();
  const made = await told();
  expect(made).toBeGreaterThanOrEqual(before);
  await expect(make()).rejects.toThrow('is there already');
  expect(await told()).toBe(made);
});
