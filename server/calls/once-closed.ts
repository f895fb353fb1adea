import type { FastifyReply } from 'fastify';

/**
 * Calls back once when a reply has ended or its reader has left; at once where that is past. A listener alone would
 * never hear of a reader who left while it was looked up who they are, and whatever it was to end would stay.
 */
export function onceClosed({ raw }: Pick<FastifyReply, 'raw'>, done: () => void): void {
  if (raw.destroyed) done();
  else raw.once('close', done);
}
