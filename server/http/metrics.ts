import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Disk } from '#server/lib/disk.ts';
import type { CallsOptions } from './calls.ts';
import type { MayInspect } from './inspection.ts';

export interface Metrics {
  readonly registry: Registry;
  observe: NonNullable<CallsOptions['observe']>;
}

/** A registry of its own, so that several apps can live in one process (tests do so). */
export function createMetrics(disk: Disk): Metrics {
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
  return {
    registry,
    observe: ({ name, status, milliseconds }) => duration.observe({ name, status }, milliseconds / 1000),
  };
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
