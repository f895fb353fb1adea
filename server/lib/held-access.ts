import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { Holder, WatchAccess } from '#server/calls/access.ts';

/** A person's right to what is being sent to them, for as long as it is sent. */
export interface HeldAccess {
  /** @throws AppError `file-not-found` where it was lost before */
  beginSending(): void;
  /** Ends it now. */
  end(): void;
}

/**
 * What is being sent is cut off when its person loses access; who loses it before gets the answer of an ended link.
 * @param holder null: of a forged link
 */
export function holdAccess(
  request: FastifyRequest,
  reply: FastifyReply,
  holder: Holder | null,
  watchAccess: WatchAccess,
): HeldAccess {
  let isLost = false;
  let isSending = false;
  const end = () => {
    isLost = true;
    if (isSending) request.raw.destroy();
  };
  if (holder !== null) {
    reply.raw.once('close', watchAccess(holder, end));
  }
  return {
    end,
    beginSending() {
      if (isLost) throw new AppError('file-not-found');
      isSending = true;
    },
  };
}
