import type { FastifyInstance } from 'fastify';

export interface HealthOptions {
  /** Resolves when calls can be served. */
  ready: () => Promise<void>;
  /** The implementation behind each port, by the port's name. */
  ports: Record<string, string>;
}

/** `/healthz`: the process is alive. `/readyz`: it can serve, and with what. */
export function registerHealth(http: FastifyInstance, options: HealthOptions): void {
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (request, reply) => {
    try {
      await options.ready();
      return { status: 'ready', ports: options.ports };
    } catch (err) {
      request.log.error({ err }, 'not ready');
      return reply.code(503).send({ status: 'not ready', ports: options.ports });
    }
  });
}
