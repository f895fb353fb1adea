import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError, type WireError } from '#contract/errors.ts';

/** One call's answer as a stream of server-sent events, each a single `data:` line of JSON. */
export interface EventStream {
  /** Whether the headers have left. */
  readonly started: boolean;
  /**
   * Sends a message; the answer starts with the first one.
   * @throws AppError `cancelled` when the reader has fallen too far behind, so that memory stays bounded.
   */
  message(message: unknown): void;
  /** Ends the stream. Every stream ends in exactly one of these, or the official client waits for ever. */
  end(last: { result: unknown } | { error: WireError }): void;
}

/** What may wait for a slow reader, in bytes. */
const maxWaiting = 4 * 1024 * 1024;

/**
 * Opens a stream whose headers leave with its first event or ping, so that a handler can set a cookie until then.
 * Its status is always 200: the official client reads errors from the events alone.
 */
export function openEventStream(reply: FastifyReply, pingMs: number): EventStream {
  const body = new PassThrough({ highWaterMark: maxWaiting });
  let started = false;
  const write = (text: string) => {
    if (!started) {
      started = true;
      void reply.code(200).headers(headers).send(body);
    }
    if (!body.destroyed && !body.writableEnded) body.write(text);
  };
  const ping = setInterval(() => write(': ping\n\n'), pingMs);
  reply.raw.once('close', () => {
    clearInterval(ping);
    body.destroy();
  });

  return {
    get started() {
      return started;
    },
    message(message) {
      if (waiting(body, reply.raw) > maxWaiting) throw new AppError('cancelled');
      write(event({ message }));
    },
    end(last) {
      clearInterval(ping);
      write(event(last));
      body.end();
    },
  };
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells buffering proxies to pass events on as they come.
  'x-accel-buffering': 'no',
};

function event(content: unknown): string {
  return `data: ${JSON.stringify(content)}\n\n`;
}

function waiting(body: PassThrough, response: ServerResponse): number {
  return body.writableLength + body.readableLength + response.writableLength;
}
