import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#contract/call.ts';
import { AppError, type ErrorCode, httpStatus, type Status } from '#contract/errors.ts';
import type { WatchAccess } from '#server/calls/access.ts';
import type { Actor, Authenticate } from '#server/calls/actor.ts';
import { toAppError } from '#server/calls/errors.ts';
import { onceClosed } from '#server/calls/once-closed.ts';
import { unlessAborted } from '#server/lib/unless-aborted.ts';
import { callerOf } from './caller.ts';
import type { NoteStream } from './open-streams.ts';
import { type CallStream, type PerformOptions, perform, type Seen } from './perform.ts';

export interface RunOptions extends PerformOptions {
  contract: Record<string, Call>;
  /** Ends what a person has open when they lose their access. */
  watchAccess?: WatchAccess;
  /** Ends the oldest of too many streams of a person. */
  noteStream?: NoteStream;
  /** Milliseconds that a call may take. */
  deadlineMs: number;
  /** Told of every call answered; `name` is `unknown` for one that does not exist. */
  observe?: (call: { name: string; status: Status | 'OK'; milliseconds: number }) => void;
}

/** One call as it was asked for, by whichever protocol. */
export interface Asked {
  name: string;
  request: FastifyRequest;
  reply: FastifyReply;
  /** What was sent. @throws AppError where it can't be read */
  data: () => unknown;
  /** Null: its messages are not asked for. */
  stream: CallStream | null;
  /** Who asks, where a door has just asked for that. */
  actor?: Actor | undefined;
  /** Who a bearer is, where that is not asked as usual. */
  authenticate?: Authenticate | undefined;
  /** By which protocol, where it is not that of the calls. */
  by?: 'mcp';
}

/**
 * Makes a call within its bounds: it ends with its time, with the connection, with the caller's access, with the
 * service; and it is logged and counted. @returns its result @throws AppError
 */
export type RunCall = (asked: Asked) => Promise<unknown>;

/** What may be told of a key or an app that goes on nevertheless. */
const endsOfKeys: readonly ErrorCode[] = ['invalid-api-key', 'invalid-app-token'];

/** For the end of an answer that is being written when the service stops; less than for all requests together. */
const answersEndMs = 8000;

/** One for every protocol by which calls are made. */
export function createRunCall(http: FastifyInstance, options: RunOptions): RunCall {
  const leaving = new AbortController();
  const closing = new AbortController();
  http.addHook('preClose', async () => {
    leaving.abort();
    setTimeout(() => closing.abort(new AppError('unavailable')), answersEndMs).unref();
  });
  return (asked) => runCall(asked, options, { leaving: leaving.signal, closing: closing.signal });
}

async function runCall(
  asked: Asked,
  options: RunOptions,
  { leaving, closing }: { leaving: AbortSignal; closing: AbortSignal },
): Promise<unknown> {
  const { name, request, reply, data, stream } = asked;
  const started = performance.now();
  const ended = new AbortController();
  const gone = () => {
    if (!reply.raw.writableFinished) ended.abort(new AppError('cancelled'));
  };
  onceClosed(reply, gone);
  const deadline = setTimeout(() => ended.abort(new AppError('deadline-exceeded')), options.deadlineMs);
  // A stream could hold a shutdown up for its whole time; a unary call is let finish.
  const signal = stream ? AbortSignal.any([ended.signal, closing]) : ended.signal;
  const call = Object.hasOwn(options.contract, name) ? options.contract[name] : undefined;
  const seen: Seen = { actor: null };
  const watching = createWatching(asked, call, options, (reason) => ended.abort(reason));
  let status: Status | 'OK' = 'OK';
  try {
    const run = { data, actor: asked.actor, signal, leaving, stream, seen, watch: watching.begin };
    const authenticate = asked.authenticate ?? options.authenticate;
    const how = { ...options, authenticate };
    return await unlessAborted(perform(name, call, request, reply, how, run), signal);
  } catch (thrown) {
    const error = toAppError(thrown);
    status = error.status;
    if (error.code === 'internal' || error.code === 'unavailable')
      request.log.error({ err: thrown, call: name }, 'failed');
    throw error;
  } finally {
    clearTimeout(deadline);
    reply.raw.off('close', gone);
    watching.end();
    const milliseconds = performance.now() - started;
    options.observe?.({ name: call ? name : 'unknown', status, milliseconds });
    request.log.info(
      {
        call: call ? name : 'unknown',
        status: status === 'OK' ? 200 : httpStatus[status],
        ms: Math.round(milliseconds * 10) / 10,
        companyId: seen.actor?.companyId,
        userId: seen.actor?.userId,
        keyId: seen.actor?.key?.id,
        by: asked.by,
        streamed: stream ? true : undefined,
      },
      'call',
    );
  }
}

/** Ends a call when whoever makes it loses their access. */
function createWatching(
  asked: Asked,
  call: Call | undefined,
  options: RunOptions,
  end: (reason: AppError) => void,
): { begin: (actor: Actor) => void; end: () => void } {
  const { request, stream } = asked;
  let unwatch = () => {};
  let isOver = false;
  /**
   * A key is not renewed as a token is: what it has open goes on where it opens as much as before. A change is heard of
   * a moment later, also by calls that began after it. Where changes may have been missed it is looked whether there
   * was one.
   */
  const accessChanged = async (actor: Actor, reason: AppError | null) => {
    if (reason === null || (actor.key && endsOfKeys.includes(reason.code))) {
      const who = { enrolling: call?.whileEnrolling ?? false };
      const now = await callerOf(request, asked.authenticate ?? options.authenticate, who).catch(toAppError);
      if (now instanceof AppError) return end(now);
      if (now?.role === actor.role) return;
    }
    end(reason ?? new AppError('session-expired'));
  };
  return {
    begin(actor) {
      // Who has left while it was looked who they are is watched by nobody: nothing would ever end it.
      if (isOver) return;
      const { companyId, userId, sessionId, key } = actor;
      const holder = { companyId, userId, sessionId, key, ip: request.ip };
      const changed = (reason: AppError | null) => void accessChanged(actor, reason);
      const unwatchAccess = options.watchAccess?.(holder, changed, () => changed(null));
      const streamEnded = stream ? options.noteStream?.(userId, end) : undefined;
      unwatch = () => {
        unwatchAccess?.();
        streamEnded?.();
      };
    },
    end() {
      isOver = true;
      unwatch();
    },
  };
}
