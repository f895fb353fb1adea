import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { readBytes } from './body.ts';

/**
 * `/webhooks/stripe`: where the payment provider tells of events. Answers 200 when the event is stored, 503 while it can't
 * be (the provider then sends it again), and refuses what is not from the provider.
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
    await takeEvent(body, signature);
    return { received: true };
  });
}
