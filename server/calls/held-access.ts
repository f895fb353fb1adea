import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { Access, Holder } from './access.ts';
import { onceClosed } from './once-closed.ts';

/** Whose link it is. */
export type LinkHolder = Omit<Holder, 'ip'>;

/** A person's right to what is being sent to them, for as long as it is sent. */
export interface HeldAccess {
  /** @throws AppError `file-not-found` where it was lost before */
  beginSending(): void;
  /** Ends it now. */
  end(): void;
}

/**
 * What is being sent by a link is cut off when its person loses access; who loses it before gets the answer of an ended
 * link. Every route of links asks this first: who loses access while the link is looked at would get the whole file.
 * @param holder whose link it is, whether it holds or not; null: of a forged one
 * @param looksAgain the route itself looks again where the end of the access may not have been heard; else it is cut
 * off
 * @throws AppError `address-not-allowed`
 */
export async function holdAccess(
  request: FastifyRequest,
  reply: FastifyReply,
  holder: LinkHolder | null,
  access: Access,
  { looksAgain = false } = {},
): Promise<HeldAccess> {
  let isLost = false;
  let isSending = false;
  const end = () => {
    isLost = true;
    if (isSending) request.raw.destroy();
  };
  if (holder !== null) {
    const from = { ...holder, ip: request.ip };
    // Begun anew by its client, from where it was.
    onceClosed(reply, access.watch(from, end, looksAgain ? undefined : end));
    await access.requireAddress(from);
  }
  return {
    end,
    beginSending() {
      if (isLost) throw new AppError('file-not-found');
      isSending = true;
    },
  };
}
