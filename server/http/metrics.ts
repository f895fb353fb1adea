import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Disk } from '#server/lib/disk.ts';
import type { CallsOptions } from './calls.ts';
import type { MayInspect } from './inspection.ts';

export interface Metrics {
  readonly registry: Registry;
  observe: NonNullable<CallsOptions['observe']>;
}

/** What is told of the service beside its calls. */
export interface Observed {
  disk: Disk;
  /** By the kind of job; rejects while the database is away. */
  jobs: () => Promise<{ name: string; waiting: number; waitingSeconds: number; failed: number }[]>;
  /** When the last good backup was made; null where none is known of; rejects while the database is away. */
  lastBackupAt: () => Promise<Date | null>;
}

/** A registry of its own, so that several apps can live in one process (tests do so). */
export function createMetrics({ disk, jobs, lastBackupAt }: Observed): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'footnote_call_duration_seconds',
    help: 'Time from a call to the end of its answer.',
    labelNames: ['name', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 65],
    registers: [registry],
  });
  new Gauge({
    name: 'footnote_disk_free_bytes',
    help: 'Room on the disk that data lies on; uploads are refused below MIN_FREE_DISK_MB.',
    registers: [registry],
    async collect() {
      this.set((await disk.look()).freeBytes);
    },
  });
  new Counter({
    name: 'footnote_uploads_refused_by_disk_total',
    help: 'Uploads and pieces of them that were refused since the disk is nearly full.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(disk.refused);
    },
  });
  observeJobs(registry, jobs);
  new Gauge({
    name: 'footnote_last_backup_timestamp_seconds',
    help: 'When the last good backup was made, by whichever process; 0: none is known of.',
    registers: [registry],
    async collect() {
      // While the database is away it stays what it was: that none is known of would be another's alert.
      const last = await lastBackupAt().catch(() => undefined);
      if (last !== undefined) this.set((last?.getTime() ?? 0) / 1000);
    },
  });
  return {
    registry,
    observe: ({ name, status, milliseconds }) => duration.observe({ name, status }, milliseconds / 1000),
  };
}

/**
 * All from one look into the queue, which says as well whether the database is there. A kind of job is no `job`: that
 * is Prometheus' own word for what is scraped.
 */
function observeJobs(registry: Registry, jobs: Observed['jobs']): void {
  let looking: Promise<void> | null = null;
  // All are asked for at once, and each waits for the same look: one that did not wait would tell of the time before.
  const collect = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  const options = { labelNames: ['kind'], registers: [registry], collect };
  const waiting = new Gauge({ ...options, name: 'footnote_jobs_waiting', help: 'Jobs that are due and not begun.' });
  const waitingSeconds = new Gauge({
    ...options,
    name: 'footnote_jobs_waiting_seconds',
    help: 'How long the first of the jobs that wait has been due.',
  });
  const failed = new Gauge({
    ...options,
    name: 'footnote_jobs_failed',
    help: 'Jobs that were given up within the last hour, after all attempts.',
  });
  const up = new Gauge({
    name: 'footnote_database_up',
    help: '1 where the database answers.',
    registers: [registry],
    collect,
  });

  async function look(): Promise<void> {
    const standing = await jobs().catch(() => null);
    for (const gauge of [waiting, waitingSeconds, failed]) gauge.reset();
    for (const each of standing ?? []) {
      waiting.set({ kind: each.name }, each.waiting);
      waitingSeconds.set({ kind: each.name }, each.waitingSeconds);
      failed.set({ kind: each.name }, each.failed);
    }
    up.set(standing === null ? 0 : 1);
  }
}

/** `/metrics`, for Prometheus, which may be asked for a token. */
export function registerMetrics(http: FastifyInstance, { registry }: Metrics, mayInspect: MayInspect): void {
  http.get('/metrics', async (request, reply) => {
    if (mayInspect(request)) return reply.header('content-type', registry.contentType).send(await registry.metrics());
    return reply
      .code(401)
      .header('www-authenticate', 'Bearer')
      .type('text/plain; charset=utf-8')
      .send('Only on this machine, or with the METRICS_TOKEN as a bearer.\n');
  });
}
