import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isFromThisMachine } from '#server/lib/this-machine.ts';

/** Whether a request may see how the service is: numbers of use, and what it is made of. */
export type MayInspect = (request: FastifyRequest) => boolean;

/** Whoever sits at this machine may, and whoever has the token. @param token null: nobody else */
export function createInspection(token: string | null): MayInspect {
  const expected = token === null ? null : hashOf(token);
  return ({ raw, headers }) => {
    if (isFromThisMachine(raw)) return true;
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    // Hashes have one length, so that comparing them takes the same time for any token.
    return expected !== null && given !== undefined && timingSafeEqual(hashOf(given), expected);
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
