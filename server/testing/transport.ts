import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Call } from '#contract/call.ts';
import { AppError } from '#contract/errors.ts';
import type { Actor } from '#server/calls/actor.ts';
import type { CallsOptions } from '#server/http/calls.ts';
import { endPromptly, mountCalls } from '#server/http/http.ts';
import { createLog } from '#server/http/log.ts';
import type { AnyHandler } from '#server/http/perform.ts';

/** A server that speaks the protocol with a small contract of the test's own: the transport alone, no database. */
export interface Transport {
  url: string;
  /** POSTs the body as it is. */
  post(path: string, body: string, headers?: Record<string, string>): Promise<Response>;
  /** Resolves with the first log line, past or to come, that passes. */
  logged(passes: (line: LogLine) => boolean): Promise<LogLine>;
  close(): Promise<void>;
}

export type LogLine = Record<string, unknown>;

/** The bearer `member` is a member of some company, any other one is refused. */
export async function startTransport(
  contract: Record<string, Call>,
  handlers: Record<string, AnyHandler>,
  options: Partial<CallsOptions> = {},
): Promise<Transport> {
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) lines.push(JSON.parse(line));
      for (const check of waiting) check();
      done();
    },
  });
  const log: FastifyBaseLogger = createLog('info', sink);
  const http = Fastify({ loggerInstance: log, logController: new LogController({ disableRequestLogging: true }) });
  endPromptly(http);
  await http.register(cookie);
  await mountCalls(http, {
    contract,
    handlers,
    authenticate: async (bearer) => {
      if (bearer === 'member') return member;
      throw new AppError('unauthenticated');
    },
    publicUrl: 'http://footnote.localhost',
    brandHosts: new Map(),
    deadlineMs: 65_000,
    pingMs: 15_000,
    ...options,
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    post: (path, body, headers = { 'content-type': 'application/json' }) =>
      fetch(`${url}${path}`, { method: 'POST', body, headers }),
    logged: (passes) =>
      new Promise((resolve) => {
        const check = () => {
          const line = lines.find(passes);
          if (!line) return;
          waiting.delete(check);
          resolve(line);
        };
        waiting.add(check);
        check();
      }),
    close: () => http.close(),
  };
}

export const member: Actor = {
  userId: '7e7d9b9e-0000-4000-8000-000000000001',
  email: 'member@example.com',
  companyId: '7e7d9b9e-0000-4000-8000-000000000002',
  role: 'member',
  authenticatedAt: new Date(),
  entitlements: { chat: true, upload: true, invite: true, notice: null, features: ['ask'], seats: 10 },
};
