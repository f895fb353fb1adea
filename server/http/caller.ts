import type { FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { Actor, Authenticate } from '#server/calls/actor.ts';

/** Who sends the request; null without a bearer. @throws AppError for a bearer that is not valid (any more) */
export async function callerOf(
  request: FastifyRequest,
  authenticate: Authenticate,
  who: { enrolling: boolean } = { enrolling: false },
): Promise<Actor | null> {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (!bearer) throw new AppError('unauthenticated');
  return authenticate(bearer, { ip: request.ip, ...who });
}
