import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { addressKey } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import { isLoopbackName } from '#server/lib/this-machine.ts';

/** How long a sender may take, and how much it may send before it has said what it wants. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the first byte of a request, or from the connection on, to the end of the headers. */
  headersMs: number;
  maxHeaderBytes: number;
  /** From the headers to the end of the body. */
  bodyMs: number;
  /** Of an upload instead: without a byte, and in all. */
  uploadSilenceMs: number;
  uploadMs: number;
  /** A connection that was answered, and on which nothing more is asked. */
  keepAliveMs: number;
  /** A connection on which neither side gets a byte through, as with a reader that has stopped reading. */
  silenceMs: number;
  /** How often connections are looked at for these. */
  checkMs: number;
}

export const usualConnectionLimits: ConnectionLimits = {
  headersMs: 20_000,
  maxHeaderBytes: 16 * 1024,
  bodyMs: 60_000,
  uploadSilenceMs: 30_000,
  uploadMs: 24 * 3_600_000,
  // Longer than the minute for which proxies keep theirs: they must be the ones to close.
  keepAliveMs: 72_000,
  // Longer than a call may take, and than streams are silent.
  silenceMs: 120_000,
  checkMs: 5000,
};

/** What the framework is told of these limits. */
export function connectionOptions(limits: ConnectionLimits) {
  return {
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Of headers and body together, which for an upload may be hours: `limitBodies` has one for each.
    requestTimeout: 0,
    http: {
      headersTimeout: limits.headersMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.checkMs,
    },
  };
}

/** For the answer to a body that did not come in time, before the connection is cut. */
const lingerMs = 1000;

const lateness = new WeakMap<IncomingMessage, AbortSignal>();

/** Aborted with what to answer when the request's body has taken too long; undefined where it has none. */
export function bodyLateness(request: IncomingMessage): AbortSignal | undefined {
  return lateness.get(request);
}

/** Cuts connections whose request's body does not come to its end in time, whoever reads it, or nobody. */
export function limitBodies(server: Server, limits: ConnectionLimits, isUpload: (request: IncomingMessage) => boolean) {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    const late = new AbortController();
    lateness.set(request, late.signal);
    const timers: NodeJS.Timeout[] = [];
    const cut = () => {
      if (request.complete) return;
      late.abort(new AppError('request-timeout'));
      timers.push(setTimeout(() => request.complete || request.destroy(), lingerMs));
    };
    if (isUpload(request)) {
      const { socket } = request;
      let bytes = socket.bytesRead;
      let heardAt = performance.now();
      const look = () => {
        // What is here and not yet taken is waited for by its sender.
        if (socket.bytesRead !== bytes || request.readableLength > 0) heardAt = performance.now();
        bytes = socket.bytesRead;
        if (performance.now() - heardAt >= limits.uploadSilenceMs && !request.complete) request.destroy();
      };
      timers.push(setInterval(look, Math.min(limits.checkMs, limits.uploadSilenceMs / 3)));
      timers.push(setTimeout(() => request.complete || request.destroy(), limits.uploadMs));
      // What was refused nobody reads: it has no longer than any other body.
      response.once('finish', () => {
        if (request.complete || request.destroyed) return;
        timers.push(setTimeout(() => request.complete || request.destroy(), limits.bodyMs));
      });
    } else {
      timers.push(setTimeout(cut, limits.bodyMs));
    }
    const done = () => {
      for (const timer of timers) clearTimeout(timer);
      // A connection is kept for many requests, and would keep what each of them has hung on it.
      request.socket.off('close', done);
    };
    request.once('end', done);
    request.once('close', done);
    request.socket.once('close', done);
  });
}

/** How many connections one address may have; null: any number. Of this machine itself only where it was set. */
export type ConnectionCap = Pick<Config, 'maxConnectionsPerAddress' | 'trustProxy'>;

/**
 * Cuts connections of an address beyond what it may have. Behind a proxy all connections are the proxy's: there it is
 * the requests being answered that are counted, by the address that the proxy tells.
 */
export function capAddresses(
  http: FastifyInstance,
  { maxConnectionsPerAddress: cap, trustProxy }: ConnectionCap,
): void {
  if (cap.max === null) return;
  const { max, ownMachineToo } = cap;
  const isCapped = (address: string) =>
    ownMachineToo || !isLoopbackName(address.includes(':') ? `[${address}]` : address);
  const counts = new Map<string, number>();
  const enter = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1).get(key) ?? 0;
  const leave = (key: string) => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
  if (trustProxy === false) {
    http.server.on('connection', (socket) => {
      const address = socket.remoteAddress ?? '';
      if (!isCapped(address)) return;
      const key = addressKey(address);
      socket.once('close', () => leave(key));
      if (enter(key) > max) socket.destroy();
    });
    return;
  }
  http.addHook('onRequest', async (request, reply) => {
    if (!isCapped(request.ip)) return;
    const key = addressKey(request.ip);
    reply.raw.once('close', () => leave(key));
    if (enter(key) > max) throw new AppError('too-many-requests', { details: { retryAfterSeconds: 1 } });
  });
}
