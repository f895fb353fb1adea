import { type DestinationStream, type Logger, pino } from 'pino';
import { causes } from '#server/calls/errors.ts';
import { traceId } from '#server/lib/span.ts';

/**
 * The log: one JSON line per event on standard output. Headers, bodies and query strings are never passed to it; the
 * redaction is a second net for objects that someone logs whole.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    // Of a line that is written on the way of a request or a job, where traces are collected.
    mixin: () => {
      const id = traceId();
      return id === undefined ? {} : { traceId: id };
    },
    serializers: { err: describe },
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

const secretKeys = [
  'authorization',
  'cookie',
  'password',
  'newPassword',
  'idToken',
  'refreshToken',
  'apiKey',
  'private_key',
  'secretKey',
  'webhookSecret',
  '["x-api-key"]',
  '["stripe-signature"]',
  '["set-cookie"]',
];

/**
 * An error for the log, with its causes. A failed query's own message lists its parameters, password hashes and
 * document text among them: of such an error only the SQL is kept. Nor is what the database says of a value that it
 * refuses.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const chain = causes(error).map((each) => {
    const query = 'query' in each && typeof each.query === 'string' ? each.query : undefined;
    const code = 'code' in each && typeof each.code === 'string' ? each.code : undefined;
    const frames = each.stack?.slice(each.stack.indexOf('\n    at ')).split('\n').slice(1, 9);
    return { type: each.name, message: messageOf(each.message, { query, code }), code, query, frames };
  });
  return { ...chain[0], causes: chain.slice(1) };
}

function messageOf(message: string, { query, code }: { query: string | undefined; code: string | undefined }): string {
  if (query !== undefined) return 'a query failed';
  // PostgreSQL's class 22 (data exception) quotes the value.
  return code !== undefined && /^22\w{3}$/.test(code) ? 'a value was refused' : message;
}
