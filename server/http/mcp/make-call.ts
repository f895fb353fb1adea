import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallInput, CallMessage, CallName, CallOutput } from '#contract/calls.ts';
import type { Actor, Authenticate } from '#server/calls/actor.ts';
import type { RunCall } from '../run-call.ts';

/** Makes a call of the contract in the name of whoever sent the message. @throws AppError */
export type MakeCall = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  told?: (message: CallMessage<Name>) => void,
) => Promise<CallOutput<Name>>;

/**
 * Everything that is done here is a call, made as over `/v1`: with the same rights, limits, counts and lines in the
 * log.
 * @param options.authenticate of bearers that are let through this door
 * @param options.actor who came through the door just now: the first call does not ask again, each further one does
 */
export function createMakeCall(options: {
  run: RunCall;
  request: FastifyRequest;
  reply: FastifyReply;
  actor: Actor;
  authenticate: Authenticate;
}): MakeCall {
  const { run, request, reply, authenticate } = options;
  let entering: Actor | undefined = options.actor;
  return async <Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    told?: (message: CallMessage<Name>) => void,
  ) => {
    // The contract's schema of this very call has made each message, and makes the result.
    const message = (each: unknown) => told?.(each as CallMessage<Name>);
    const stream = told ? { started: true, message } : null;
    const actor = entering;
    entering = undefined;
    return (await run({
      name,
      request,
      reply,
      actor,
      authenticate,
      data: () => input,
      stream,
      by: 'mcp',
    })) as CallOutput<Name>;
  };
}
