import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type Tx } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { waitedFor } from '#server/testing/hold.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { type JobHandlers, type JobName, policies } from './registry.ts';
import { schedule } from './schedule.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let db: Database;
let opened: Jobs[] = [];
const company = randomUUID();

beforeEach(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.connection, { name: 'test', log });
});
afterEach(async () => {
  for (const jobs of opened) await jobs.stop();
  opened = [];
  await db.close();
  await database.drop();
});

async function open(options: { lookIntervalSeconds?: number } = {}): Promise<Jobs> {
  const jobs = await openJobs({ db, log, alone: true, ...options });
  opened.push(jobs);
  return jobs;
}

/** Handlers that do nothing but what is given. */
function handlers(given: Partial<JobHandlers> = {}): JobHandlers {
  const nothing = async () => {};
  return {
    'ingest-version': nothing,
    'ingest-long-version': nothing,
    'embed-version': nothing,
    'embed-left-out': nothing,
    'look-for-orders': nothing,
    'erase-document': nothing,
    'erase-upload': nothing,
    'erase-search': nothing,
    'move-in-search': nothing,
    'optimize-search': nothing,
    'clear-identities': nothing,
    'settle-claims': nothing,
    'mail-password-reset': nothing,
    'send-mail': nothing,
    'clear-mails': nothing,
    'mail-digests': nothing,
    'mail-invitation': nothing,
    'mail-confirmation': nothing,
    'end-unconfirmed': nothing,
    'erase-company': nothing,
    'make-export': nothing,
    'clear-exports': nothing,
    'settle-charging': nothing,
    'end-companies': nothing,
    'end-company': nothing,
    'note-failed-sign-in': nothing,
    'deliver-webhook': nothing,
    'send-by-hand': nothing,
    'wake-webhooks': nothing,
    'seal-audit': nothing,
    'clear-audit': nothing,
    'count-questions': nothing,
    'erase-questions': nothing,
    'clear-replies': nothing,
    'mail-reports': nothing,
    'keep-identity': nothing,
    'sync-subscription': nothing,
    'sync-subscriptions': nothing,
    sweep: nothing,
    ...given,
  };
}

const document = () => ({ companyId: company, documentId: randomUUID() });
const version = () => ({ ...document(), version: 1, attempt: 1 });

test('what waits and what was given up is told by name', async () => {
  const jobs = await open();
  expect(await jobs.standing()).toEqual([]);
  await db.asSystem(async (tx) => {
    await jobs.enqueue(tx, 'clear-mails', {});
    await jobs.enqueue(tx, 'erase-document', document());
    await jobs.enqueue(tx, 'erase-document', document());
    await jobs.enqueue(tx, 'erase-document', document(), { startAfterSeconds: 600 });
  });
  const waiting = await jobs.standing();
  expect(waiting).toHaveLength(2);
  expect(waiting).toContainEqual({
    name: 'erase-document',
    waiting: 2,
    waitingSeconds: expect.toSatisfy((seconds: number) => seconds >= 0 && seconds < 60),
    failed: 0,
  });
  await jobs.work(handlers({ 'clear-mails': () => Promise.reject(new Error('never')) }));
  await jobs.idle();
  expect(await jobs.standing()).toEqual([{ name: 'clear-mails', waiting: 0, waitingSeconds: 0, failed: 1 }]);
});

describe('enqueue', () => {
  test.each(['asCompany', 'asSystem'] as const)('inside %s: the job runs with its data once committed', async (as) => {
    const jobs = await open();
    const ran: unknown[] = [];
    await jobs.work(handlers({ 'ingest-version': async (data) => void ran.push(data) }));
    const data = version();
    const work = async (tx: Parameters<Parameters<Database['asSystem']>[0]>[0]) => {
      await jobs.enqueue(tx, 'ingest-version', data);
      // A worker could have taken it by now, if it could be seen.
      await tx.execute(sql`select pg_sleep(0.05)`);
      expect(ran).toEqual([]);
    };
    await (as === 'asCompany' ? db.asCompany(company, work) : db.asSystem(work));
    await jobs.idle();
    expect(ran).toEqual([data]);
  });

  test('leaves nothing when the transaction is rolled back', async () => {
    const jobs = await open();
    const rolledBack = db.asCompany(company, async (tx) => {
      await jobs.enqueue(tx, 'erase-document', document());
      throw new Error('back');
    });
    await expect(rolledBack).rejects.toThrow('back');
    expect(await waiting()).toEqual([]);
  });

  test('leaves the transaction with the company that it had', async () => {
    const jobs = await open();
    const [after] = await db.asCompany(company, async (tx) => {
      await jobs.enqueue(tx, 'erase-document', document());
      return (await tx.execute(sql`select current_user as role, current_setting('app.company_id') as company`)).rows;
    });
    expect(after).toEqual({ role: 'footnote_app', company });
  });

  test('that fails, and is caught, does not leave the transaction with the rights of the owner', async () => {
    const jobs = await open();
    const wrong = { companyId: company, documentId: 'mine' };
    const [after] = await db.asCompany(company, async (tx) => {
      await expect(jobs.enqueue(tx, 'erase-document', wrong)).rejects.toThrow();
      return (await tx.execute(sql`select current_user as role`)).rows;
    });
    expect(after).toEqual({ role: 'footnote_app' });
  });

  test('takes no data that is not of the job', async () => {
    const jobs = await open();
    const wrong = { companyId: company, documentId: 'mine' };
    await expect(db.asSystem((tx) => jobs.enqueue(tx, 'erase-document', wrong))).rejects.toThrow();
    const name = 'no-such-job' as JobName;
    await expect(db.asSystem((tx) => jobs.enqueue(tx, name, {} as never))).rejects.toThrow();
    expect(await waiting()).toEqual([]);
  });

  test('of a job that is wanted once: one per key waits', async () => {
    const jobs = await open();
    const other = randomUUID();
    for (const companyId of [company, company, other, company]) {
      await db.asCompany(companyId, (tx) =>
        jobs.enqueue(tx, 'optimize-search', { companyId }, { singletonKey: companyId }),
      );
    }
    const ran: string[] = [];
    await jobs.work(handlers({ 'optimize-search': async ({ companyId }) => void ran.push(companyId) }));
    await jobs.idle();
    expect(ran.toSorted()).toEqual([company, other].toSorted());
  });

  test('of a job that is wanted once, while one waits: that one begins when what it is wanted for is committed', async () => {
    const jobs = await open();
    const other = randomUUID();
    const enqueue = (tx: Tx, companyId: string) =>
      jobs.enqueue(tx, 'optimize-search', { companyId }, { singletonKey: companyId });
    for (const each of [company, other]) await db.asCompany(each, (tx) => enqueue(tx, each));
    const ran: string[] = [];
    const otherRan = Promise.withResolvers<void>();
    const run = async ({ companyId }: { companyId: string }) => {
      ran.push(companyId);
      if (companyId === other) otherRan.resolve();
    };
    await db.asCompany(company, async (tx) => {
      await enqueue(tx, company);
      await jobs.work(handlers({ 'optimize-search': run }));
      // It came later: the worker would have begun with the first.
      await otherRan.promise;
      expect(ran).toEqual([other]);
    });
    await jobs.idle();
    expect(ran).toEqual([other, company]);
  });

  test('of a job that is wanted once, while one begins: another one waits', async () => {
    const jobs = await open();
    const enqueue = (tx: Tx) => jobs.enqueue(tx, 'optimize-search', { companyId: company }, { singletonKey: company });
    await db.asCompany(company, enqueue);
    const enqueued = await db.asSystem(async (tx) => {
      // As a worker does it, whose statement has not ended yet.
      await tx.execute(sql`select from pgboss.job where name = 'optimize-search' for update`);
      const another = db.asCompany(company, enqueue);
      await waitedFor(tx);
      await tx.execute(sql`update pgboss.job set state = 'active' where name = 'optimize-search'`);
      return { another };
    });
    await enqueued.another;
    const states = (await waiting()).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['active', 'created']);
  });

  test('of a job that is wanted once, without a key, is a mistake: it would be dropped while any other waits', async () => {
    const jobs = await open();
    const enqueued = db.asSystem((tx) => jobs.enqueue(tx, 'optimize-search', { companyId: company }));
    await expect(enqueued).rejects.toThrow('optimize-search needs a key');
  });

  test('for later: it waits for its time', async () => {
    const jobs = await open();
    const ran: string[] = [];
    await jobs.work(handlers({ 'erase-search': async ({ companyId }) => void ran.push(companyId) }));
    await db.asSystem(async (tx) => {
      for (const [companyId, startAfterSeconds] of [
        [company, 3600],
        [randomUUID(), 1],
      ] as const)
        await jobs.enqueue(tx, 'erase-search', { companyId }, { singletonKey: companyId, startAfterSeconds });
    });
    await jobs.idle();
    expect(ran).toHaveLength(1);
    expect(ran).not.toContain(company);
  });
});

describe('the role of a company', () => {
  test.each([
    ['read jobs', sql`select data from pgboss.job`],
    ['read the queues', sql`select * from pgboss.queue`],
    ['make jobs by itself', sql`insert into pgboss.job (name) values ('sweep')`],
    ['remove jobs', sql`delete from pgboss.job`],
  ])('can not %s', async (_, statement) => {
    await open();
    await expect(db.asCompany(company, (tx) => tx.execute(statement))).rejects.toMatchObject({
      cause: { code: '42501' },
    });
  });
});

describe('work', () => {
  test('is told of a job at its commit, and of the next at its end', async () => {
    // Whoever had to ask would do so after the test is over.
    const jobs = await open({ lookIntervalSeconds: 600 });
    let started = 0;
    await jobs.work(handlers({ 'ingest-version': async () => void started++ }));
    await jobs.idle();
    for (let i = 1; i <= 5; i++) {
      await db.asCompany(company, (tx) => jobs.enqueue(tx, 'ingest-version', version()));
      await expect.poll(() => started).toBe(i);
    }
    await db.asSystem(async (tx) => {
      for (let i = 0; i < 20; i++) await jobs.enqueue(tx, 'ingest-version', version());
    });
    await expect.poll(() => started).toBe(25);
  });

  test('finds what has become due, of any kind, though nobody tells of it', async () => {
    const jobs = await open();
    const ran: string[] = [];
    const kinds = ['clear-mails', 'clear-replies', 'keep-identity'] as const;
    await jobs.work(handlers(Object.fromEntries(kinds.map((kind) => [kind, async () => void ran.push(kind)]))));
    await db.asSystem(async (tx) => {
      for (const kind of kinds) await jobs.enqueue(tx, kind, {}, { startAfterSeconds: 600 });
    });
    expect(ran).toEqual([]);
    await db.asSystem((tx) => tx.execute(sql`update pgboss.job set start_after = now() where state = 'created'`));
    await expect.poll(() => ran.toSorted()).toEqual([...kinds]);
  });

  test('never runs more of a kind at once than its policy allows', async () => {
    const jobs = await open();
    let [now, most] = [0, 0];
    const both = Promise.withResolvers<void>();
    await jobs.work(
      handlers({
        'ingest-version': async () => {
          now += 1;
          most = Math.max(most, now);
          if (now === policies['ingest-version'].concurrency) both.resolve();
          await both.promise;
          now -= 1;
        },
      }),
    );
    await db.asSystem(async (tx) => {
      // Of different companies: of one, fewer run at once.
      for (let i = 0; i < 8; i++) await jobs.enqueue(tx, 'ingest-version', { ...version(), companyId: randomUUID() });
    });
    await jobs.idle();
    expect(most).toBe(policies['ingest-version'].concurrency);
  });

  test('tries a job that failed again, tells the last attempt, and lets others through meanwhile', async () => {
    const jobs = await open();
    const attempts: boolean[] = [];
    const others: string[] = [];
    await jobs.work(
      handlers({
        'optimize-search': async ({ companyId }, { isLastAttempt }) => {
          if (companyId !== company) return void others.push(companyId);
          attempts.push(isLastAttempt);
          throw new Error('not yet');
        },
      }),
    );
    await db.asSystem(async (tx) => {
      await jobs.enqueue(tx, 'optimize-search', { companyId: company }, { singletonKey: company });
      const other = randomUUID();
      await jobs.enqueue(tx, 'optimize-search', { companyId: other }, { singletonKey: other });
    });
    await expect.poll(() => others.length).toBe(1);
    // Due at once, in place of the time that lies between two attempts.
    const hurry = () =>
      db.asSystem((tx) => tx.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`));
    await expect.poll(() => hurry().then(() => attempts)).toEqual([false, false, true]);
    await jobs.idle();
    expect(attempts).toHaveLength(policies['optimize-search'].retries + 1);
  });

  test('of a job whose data is no longer understood fails it, and goes on', async () => {
    const jobs = await open();
    const ran: string[] = [];
    await db.asSystem(async (tx) => {
      await jobs.enqueue(tx, 'erase-document', document());
      await tx.execute(sql`update pgboss.job set data = '{"old": true}', retry_limit = 0`);
      await jobs.enqueue(tx, 'erase-document', document());
    });
    await jobs.work(handlers({ 'erase-document': async ({ documentId }) => void ran.push(documentId) }));
    await jobs.idle();
    expect(ran).toHaveLength(1);
  });
});

describe('a restart', () => {
  test('loses no job that is waiting', async () => {
    const first = await open();
    const data = version();
    await db.asCompany(company, (tx) => first.enqueue(tx, 'ingest-version', data));
    await first.stop();
    const ran: unknown[] = [];
    const second = await open();
    await second.work(handlers({ 'ingest-version': async (given) => void ran.push(given) }));
    await second.idle();
    expect(ran).toEqual([data]);
  });

  test('after kill -9 gives a job that was running to the next start at once', async () => {
    const data = version();
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', holdJob, JSON.stringify(database.connection), JSON.stringify(data)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await waiting()).toEqual([{ name: 'ingest-version', state: 'active' }]);

    const ran: unknown[] = [];
    const jobs = await open();
    await jobs.work(handlers({ 'ingest-version': async (given) => void ran.push(given) }));
    await jobs.idle();
    expect(ran).toEqual([data]);
  });

  test('after as many attempts as it has, a job that kills the process is not tried again', async () => {
    const first = await open();
    await db.asSystem(async (tx) => {
      await first.enqueue(tx, 'ingest-version', version());
      await tx.execute(sql`update pgboss.job set state = 'active', started_on = now(), retry_count = retry_limit`);
    });
    const ran: unknown[] = [];
    const second = await open();
    await second.work(handlers({ 'ingest-version': async (given) => void ran.push(given) }));
    await second.idle();
    expect(ran).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('leaves the jobs of other processes alone where there are some', async () => {
    const first = await open();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let runs = 0;
    const held = handlers({
      'ingest-version': async () => {
        runs += 1;
        started.resolve();
        await finish.promise;
      },
    });
    await first.work(held);
    await db.asSystem((tx) => first.enqueue(tx, 'ingest-version', version()));
    await started.promise;
    const second = await openJobs({ db, log, alone: false });
    opened.push(second);
    await second.work(held);
    finish.resolve();
    await second.idle();
    expect(runs).toBe(1);
  });

  test('by stop lets a running job finish', async () => {
    const jobs = await open();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let finished = false;
    await jobs.work(
      handlers({
        'ingest-version': async () => {
          started.resolve();
          await finish.promise;
          finished = true;
        },
      }),
    );
    await db.asSystem((tx) => jobs.enqueue(tx, 'ingest-version', version()));
    await started.promise;
    const stopped = jobs.stop();
    finish.resolve();
    await stopped;
    expect(finished).toBe(true);
    expect(await waiting()).toEqual([]);
  });
});

test('a job whose end could not be written down, as when the database is away, runs again as soon as it can', async () => {
  const failed = Promise.withResolvers<void>();
  // The only worker of its queue: what fails there is the writing of the job's end.
  const write = (line: string) => line.includes('Queue: erase-document') && failed.resolve();
  const jobs = await openJobs({ db, log: pino({}, { write }), alone: false });
  opened.push(jobs);
  let runs = 0;
  await jobs.work(
    handlers({
      'erase-document': async () => {
        runs += 1;
        if (runs === 1) await db.asSystem((tx) => tx.execute(sql`alter schema pgboss rename to away`));
      },
    }),
  );
  await db.asSystem((tx) => jobs.enqueue(tx, 'erase-document', document()));
  await failed.promise;
  await db.asSystem((tx) => tx.execute(sql`alter schema away rename to pgboss`));
  await expect.poll(() => runs).toBe(2);
  await jobs.idle();
  expect(runs).toBe(2);
});

test('every recurring job has its time in the database', async () => {
  const jobs = await open();
  await jobs.work(handlers());
  const { rows } = await db.asSystem((tx) => tx.execute(sql`select name, cron from pgboss.schedule`));
  const byName = Object.fromEntries(rows.map(({ name, cron }) => [name, cron]));
  expect(byName).toEqual(schedule);
});

const holdJob = `
  import { pino } from 'pino';
  import { openDatabase } from '#server/db/db.ts';
  import { openJobs } from '#server/jobs/jobs.ts';
  const log = pino({ level: 'silent' });
  const [connection, data] = process.argv.slice(1).map((each) => JSON.parse(each));
  const db = await openDatabase(connection, { name: 'child', log });
  const jobs = await openJobs({ db, log, alone: true });
  const hold = async () => {
    console.log('holding');
    await new Promise(() => {});
  };
  await jobs.work({ 'ingest-version': hold, 'erase-document': hold, 'erase-search': hold, 'optimize-search': hold, 'sync-subscription': hold, 'sync-subscriptions': hold, sweep: hold });
  await db.asSystem((tx) => jobs.enqueue(tx, 'ingest-version', data));
`;

async function waiting() {
  const { rows } = await db.asSystem((tx) =>
    tx.execute<{ name: string; state: string }>(
      sql`select name, state from pgboss.job where state < 'completed' and name not like '\\_\\_pgboss%'`,
    ),
  );
  return rows;
}
