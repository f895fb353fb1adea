import type { FastifyInstance } from 'fastify';
import type { MayInspect } from './inspection.ts';

export interface HealthOptions {
  /** Resolves when calls can be served. */
  ready: () => Promise<void>;
  /** The implementation behind each port, by the port's name. */
  ports: Record<string, string>;
  /** Aborted when the service is about to stop. */
  leaving: AbortSignal;
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve, and goes on doing so; for who may inspect it, with what.
 */
export function registerHealth(http: FastifyInstance, options: HealthOptions, mayInspect: MayInspect): void {
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (request, reply) => {
    const details = mayInspect(request) ? { ports: options.ports } : {};
    if (options.leaving.aborted) return reply.code(503).send({ status: 'stopping', ...details });
    try {
      await options.ready();
      return { status: 'ready', ...details };
    } catch (err) {
      request.log.error({ err }, 'not ready');
      return reply.code(503).send({ status: 'not ready', ...details });
    }
  });
}
