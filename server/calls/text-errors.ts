import type { FastifyReply } from 'fastify';
import { AppError, httpStatus } from '#contract/errors.ts';

/**
 * Says an error as plain text, where a person's browser opens an address by itself.
 * @throws what is no error of ours
 */
export function sendAsText(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError)) throw error;
  return reply.code(httpStatus[error.status]).type('text/plain; charset=utf-8').send(error.message);
}
