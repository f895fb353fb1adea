import { setTimeout as wait } from 'node:timers/promises';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '#server/db/db.ts';
import { type SQL, sql } from '#server/db/drizzle.ts';
import { createEnqueue, type Enqueue } from './enqueue.ts';
import { lookForDue } from './look.ts';
import { type JobHandlers, type JobName, type JobRun, jobs, policies } from './registry.ts';
import { schedule } from './schedule.ts';
import { asStep } from './trace.ts';

export interface Jobs {
  readonly enqueue: Enqueue;
  /** Starts to work. */
  work(handlers: JobHandlers): Promise<void>;
  /** How it stands with each kind of job in all processes; kinds of which there is nothing to say are left out. */
  standing(): Promise<JobsStanding[]>;
  /** Lets running jobs finish for a while, then leaves them to the next start. */
  stop(): Promise<void>;
  /** For tests: resolves when no job that is due is waiting or running. */
  idle(): Promise<void>;
}

export interface JobsStanding {
  name: JobName;
  /** Due, and not begun. */
  waiting: number;
  /** How long the first of those has been due, in seconds. */
  waitingSeconds: number;
  /** Given up within the last hour, after all attempts. */
  failed: number;
}

type Handler = (data: never, run: JobRun) => Promise<void>;

const names = Object.keys(jobs) as JobName[];
/** A process that was killed no longer says that it works; its jobs are then given to others, within a minute. */
const heartbeatSeconds = 30;
const heartbeatEverySeconds = 5;
const superviseIntervalSeconds = 15;
const askAgainMs = 500;
const stopTimeoutMs = 10_000;
/** New jobs are told of at once; looking finds those that become due later, such as another try. */
const usualLookIntervalSeconds = 1;
/** Each worker asks for itself as well, should it have been told nothing for long. */
const askIntervalSeconds = 60;
/** A job that starts later than this is not waited for by `idle`. */
const dueSeconds = 5;

/**
 * The queue in our own database (pg-boss).
 * @param alone no other process works on this database, so jobs that are marked as running were left by a killed one
 * @param works whether this process works on jobs; else it enqueues alone
 * @param lookIntervalSeconds between two looks for jobs that nobody has told of; absent: as usual
 */
export async function openJobs({
  db,
  log,
  alone,
  works = true,
  lookIntervalSeconds = usualLookIntervalSeconds,
}: {
  db: Database;
  log: Logger;
  alone: boolean;
  works?: boolean;
  lookIntervalSeconds?: number;
}): Promise<Jobs> {
  const boss = new PgBoss({
    ...db.connection,
    max: works ? 6 : 2,
    useListenNotify: works,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
  });
  /** By worker: the job that it had last, whose end is written down or about to be. */
  const ran = new Map<string, JobWithMetadata<object>>();
  let stopping = false;
  boss.on('error', (error) => {
    log.error({ err: error }, 'the job queue failed');
    const worker = 'worker' in error ? String(error.worker) : '';
    const job = ran.get(worker);
    ran.delete(worker);
    if (job) void startAgain(job);
  });
  boss.on('warning', (warning) => log.debug({ warning }, 'the job queue warns'));
  try {
    await boss.start();
    await createQueues(boss);
    if (alone) await reclaim(db, sql`name in ${names}`);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  let ended = Promise.withResolvers<void>();
  let stopLooking = () => {};

  async function run(name: JobName, handler: Handler, job: JobWithMetadata<object>): Promise<void> {
    const started = performance.now();
    try {
      const isLastAttempt = job.retryCount >= job.retryLimit;
      await handler(jobs[name].parse(job.data) as never, { signal: job.signal, isLastAttempt });
      log.debug({ job: name, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      log.error({ err: error, job: name, attempt: job.retryCount + 1 }, 'job failed');
      throw error;
    } finally {
      ended.resolve();
      ended = Promise.withResolvers();
    }
  }

  /**
   * The end of a job could not be written down, since the database was away: as soon as it is back the job starts
   * again, instead of when its heartbeat is missed. One whose end has been written stays as it is.
   */
  async function startAgain({ name, id, retryCount }: JobWithMetadata<object>): Promise<void> {
    while (!stopping) {
      try {
        return await reclaim(db, sql`name = ${name} and id = ${id} and retry_count = ${retryCount}`);
      } catch {
        await wait(askAgainMs);
      }
    }
  }

  /** @returns its id */
  async function startWorker(name: JobName, handler: Handler): Promise<string> {
    const { perCompany } = policies[name];
    const options = {
      includeMetadata: true,
      pollingIntervalSeconds: askIntervalSeconds,
      notifyPollingIntervalSeconds: askIntervalSeconds,
      heartbeatRefreshSeconds: heartbeatEverySeconds,
      ...(perCompany !== undefined && { groupConcurrency: perCompany }),
    } as const;
    let worker = '';
    worker = await boss.work<object, void, typeof options>(name, options, async ([job]) => {
      if (!job) return;
      ran.delete(worker);
      try {
        await asStep(job, (step) => run(name, handler, step));
      } finally {
        ran.set(worker, job);
        // However many jobs are waiting, they are told of once: without this each would wait for the next look.
        boss.notifyWorker(worker);
      }
    });
    return worker;
  }

  return {
    enqueue: createEnqueue(boss),

    async work(handlers) {
      const workers = new Map<JobName, string[]>();
      for (const name of names) {
        const ids: string[] = [];
        for (let i = 0; i < policies[name].concurrency; i++) ids.push(await startWorker(name, handlers[name]));
        workers.set(name, ids);
      }
      stopLooking = lookForDue(boss, { workers, everySeconds: lookIntervalSeconds, log });
      for (const name of names) {
        const cron = schedule[name];
        if (cron) await boss.schedule(name, cron, {});
      }
    },

    standing: () => standing(db),

    async stop() {
      stopping = true;
      stopLooking();
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },

    async idle() {
      while ((await due(db)) > 0) {
        // What ends is still marked as running for a moment, so an end alone is not enough to wait for.
        await Promise.race([ended.promise, wait(50)]);
      }
    },
  };
}

async function createQueues(boss: PgBoss): Promise<void> {
  for (const name of names) {
    const { retries, expireSeconds, onePerKey } = policies[name];
    const options = {
      retryLimit: retries,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 300,
      expireInSeconds: expireSeconds,
      heartbeatSeconds,
      notify: true,
      deleteAfterSeconds: 3600,
    };
    await boss.createQueue(name, { ...options, policy: onePerKey ? 'short' : 'standard' });
    // One that is there already keeps its old options otherwise.
    await boss.updateQueue(name, options);
  }
}

/** What has ended stays in the table for an hour. */
async function standing(db: Database): Promise<JobsStanding[]> {
  const { rows } = await db.asSystem((tx) =>
    tx.execute<JobsStanding & Record<string, unknown>>(sql`
      select name, waiting, coalesce(extract(epoch from now() - due_since), 0)::float8 as "waitingSeconds", failed
      from (
        select name, count(*) filter (where state < 'active')::int as waiting,
               min(start_after) filter (where state < 'active') as due_since,
               count(*) filter (where state = 'failed')::int as failed
        from pgboss.job
        where name in ${names} and state in ('created', 'retry', 'failed') and start_after <= now()
        group by name
      ) as counted`),
  );
  return rows;
}

async function due(db: Database): Promise<number> {
  const { rows } = await db.asSystem((tx) =>
    tx.execute<{ count: number }>(sql`
      select count(*)::int as count from pgboss.job
      where name in ${names} and state < 'completed' and start_after <= now() + make_interval(secs => ${dueSeconds})`),
  );
  return rows[0]?.count ?? 0;
}

/**
 * Of these jobs, those that a killed process was running start again now, instead of when their heartbeat is missed.
 * Attempts count: a job that kills its process every time must not keep the product from running.
 */
async function reclaim(db: Database, which: SQL): Promise<void> {
  await db.asSystem((tx) =>
    tx.execute(sql`
      update pgboss.job set
        state = (case when retry_count < retry_limit then 'retry' else 'failed' end)::pgboss.job_state,
        completed_on = case when retry_count < retry_limit then null else now() end,
        start_after = now(), heartbeat_on = null
      where ${which} and state = 'active'`),
  );
}
