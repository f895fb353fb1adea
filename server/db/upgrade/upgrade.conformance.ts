import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import {
  askIn,
  clustersIn,
  makeOlderPlace,
  type OlderPlace,
  rightsStatement,
  startUntilKilled,
  type UpgradeCrash,
} from '#server/testing/older-data.ts';
import { makePlace, startServerProcess } from '#server/testing/server-process.ts';

/** Every step of an upgrade, in their order, and which folders a kill leaves there. */
const steps: [step: string, point: UpgradeCrash, left: string[]][] = [
  ['before the newer cluster is there', { renamedTo: 'pg.upgraded', when: 'before' }, ['pg', 'pg.new']],
  ['when it is there', { renamedTo: 'pg.upgraded', when: 'after' }, ['pg', 'pg.upgraded']],
  ['before roles', { statement: 'create role', when: 'before' }, ['pg', 'pg.upgraded']],
  [
    'before the first table',
    { statement: 'create schema if not exists "?drizzle', when: 'before' },
    ['pg', 'pg.upgraded'],
  ],
  ['amid the migrations', { statement: 'create table "audit_events"', when: 'before' }, ['pg', 'pg.upgraded']],
  ['before the queue', { statement: 'create type pgboss', when: 'before' }, ['pg', 'pg.upgraded']],
  [
    'before a part of a table',
    { statement: 'partition of pgboss.queue_stats for values', when: 'before' },
    ['pg', 'pg.upgraded'],
  ],
  ['before rows', { statement: '^truncate', when: 'before' }, ['pg', 'pg.upgraded']],
  ['amid rows', { statement: '^copy "public"."chunks" .* from stdin', when: 'before' }, ['pg', 'pg.upgraded']],
  ['when rows are copied', { statement: '^select setval', when: 'before' }, ['pg', 'pg.upgraded']],
  ['amid comparing', { statement: 'sha256', nth: 20, when: 'before' }, ['pg', 'pg.upgraded']],
  ['when they are compared', { statement: '^analyze', when: 'before' }, ['pg', 'pg.upgraded']],
  ['before all is on the disk', { statement: '^checkpoint', when: 'before' }, ['pg', 'pg.upgraded']],
  ['before the older is put aside', { renamedTo: 'pg.before-upgrade', when: 'before' }, ['pg', 'pg.upgraded']],
  ['between the two', { renamedTo: 'pg.before-upgrade', when: 'after' }, ['pg.before-upgrade', 'pg.upgraded']],
  [
    'before what was whole is put in place',
    { renamedTo: 'postgres/pg', when: 'before' },
    ['pg.before-upgrade', 'pg.upgraded'],
  ],
  ['when it is in place', { renamedTo: 'postgres/pg', when: 'after' }, ['pg', 'pg.before-upgrade']],
  ['before the service has started', { statement: 'create_queue', when: 'before' }, ['pg', 'pg.before-upgrade']],
  ['before the older goes', { renamedTo: 'pg.leaving', when: 'before' }, ['pg', 'pg.before-upgrade']],
  ['when it has begun to go', { renamedTo: 'pg.leaving', when: 'after' }, ['pg', 'pg.leaving']],
];

let made: OlderPlace;
beforeAll(async () => {
  made = await makeOlderPlace();
}, 300_000);
afterAll(() => made.place.remove());

// One after the other on the same data, each on what the kill before has left.
test('an upgrade that is killed at every step loses nothing', async () => {
  const place = await makePlace(made.place);
  try {
    for (const [step, point, left] of steps) {
      await startUntilKilled(place, point);
      const found = (await clustersIn(place)).map((name) => name.replace(/^pg\.new-.*/, 'pg.new'));
      expect(found, step).toEqual(left);
    }
    const server = await startServerProcess(place);
    const client = createClient(server.url, made.token);
    expect((await client.filesWhenRead()).map(({ name, state }) => `${name}: ${state}`).sort()).toEqual([
      'Rules.md: ready',
      'Waiting.md: ready',
    ]);
    expect(await askIn(client)).toEqual(made.answer);
    expect(await server.query(rightsStatement)).toEqual(made.rights);
    expect(await clustersIn(place)).toEqual(['pg']);
    await server.stop();
  } finally {
    await place.remove();
  }
}, 900_000);
