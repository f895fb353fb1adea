import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { CallInput, CallMessage, CallName, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { authorised } from './authorised.ts';
import { type Answer, readJson, request, type Sending, Watch } from './wire.ts';

/**
 * Makes a call as a stream: `onMessage` gets each message in order, the promise the result. Never retried, since
 * messages may have been shown; only a token that ended is replaced before the first one. Apart from other calls: in
 * front of the sign-in there is nothing to follow, and what reads events would be loaded there, too.
 * @throws AppError as `call`; `deadline-exceeded` after 70 s without an event
 */
export function stream<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { onMessage, signal, key }: { onMessage: (message: CallMessage<Name>) => void; signal?: AbortSignal; key?: string },
): Promise<CallOutput<Name>> {
  return authorised((bearer) => sendStream(name, input, { bearer, signal, key, onMessage }));
}

/** The same, sent once. @throws AppError as `send` */
export async function sendStream<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { bearer, signal, key, onMessage }: Sending & { onMessage: (message: CallMessage<Name>) => void },
): Promise<CallOutput<Name>> {
  const watch = new Watch(signal);
  try {
    const response = await fetch(`/v1/${name}`, request(input, bearer, 'text/event-stream', watch.signal, key));
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
      const body = await readJson<CallOutput<Name>>(response);
      if ('result' in body) return body.result;
      throw AppError.fromWire(body.error);
    }
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (let read = await events.read(); !read.done; read = await events.read()) {
      watch.restart();
      const event: StreamEvent<Name> = JSON.parse(read.value.data);
      if ('message' in event) onMessage(event.message);
      else if ('result' in event) return event.result;
      else throw AppError.fromWire(event.error);
    }
    throw new AppError('unavailable');
  } catch (error) {
    throw watch.explain(error);
  } finally {
    watch.end();
  }
}

type StreamEvent<Name extends CallName> = Answer<CallOutput<Name>> | { message: CallMessage<Name> };
