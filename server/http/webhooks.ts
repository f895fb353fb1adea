import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { toAppError } from '#server/calls/errors.ts';
import { readBytes } from './body.ts';

/**
 * `/webhooks/stripe`: where the payment provider tells of events. Answers 200 when the event is stored, 503 while it
 * can't be (the provider then sends it again), and refuses what is not from the provider.
 */
export function mountWebhooks(
  scope: FastifyInstance,
  { takeEvent }: { takeEvent: (body: Buffer, signature: string) => Promise<void> },
): void {
  // The signature is of the very bytes, so nothing may parse them before it is checked.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => readBytes(request, payload));
  scope.post('/webhooks/stripe', async (request) => {
    const { body } = request;
    if (body === null) throw new AppError('too-large');
    const signature = request.headers['stripe-signature'];
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new AppError('bad-signature');
    try {
      await takeEvent(body, signature);
    } catch (cause) {
      const error = toAppError(cause);
      if (error.code !== 'internal') throw error;
      // Whatever went wrong, the event is not stored, and has to come again.
      request.log.error({ err: cause }, 'a payment event was not stored');
      throw new AppError('unavailable', { cause });
    }
    return { received: true };
  });
}
