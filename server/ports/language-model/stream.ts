import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { type ProviderRequest, postToProvider, retried, startDeadline } from '#server/lib/provider-http.ts';
import type { LanguageModel, ModelEvent, ModelRequest, ModelUsage } from './port.ts';
import { sseData } from './sse.ts';

/** How one service is asked, and what its events mean; all else is the same for every service. */
export interface Protocol {
  /** May itself ask for something first, such as a token. */
  request(request: ModelRequest, signal: AbortSignal): Promise<Omit<ProviderRequest, 'signal'>>;
  /**
   * What one event says; called with the JSON of its data.
   * @throws ProviderFailure for an event that is an error; anything else it throws means a shape that is not known
   */
  read(event: unknown): Piece;
}

export interface Piece {
  text?: string | undefined;
  /** Some services tell the one number first and the other last. */
  usage?: Partial<ModelUsage> | undefined;
  /** Why the model ended. Usage may still follow. */
  end?: End | undefined;
}

export type End = 'done' | 'length' | 'refused';

export interface StreamOptions {
  name: string;
  contextTokens: number;
  /** Until the service sends its first event. A model that is loaded for the first question takes its time. */
  firstTokenMs: number;
  /** Between events; a model that thinks without a word sends events too. */
  nextTokenMs: number;
}

/** A language model that answers in server-sent events. */
export function streamingModel(protocol: Protocol, options: StreamOptions): LanguageModel {
  const { name, contextTokens } = options;
  return { name, contextTokens, stream: (request, signal) => stream(protocol, options, request, signal) };
}

async function* stream(
  protocol: Protocol,
  { firstTokenMs, nextTokenMs }: StreamOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const deadline = startDeadline(signal, firstTokenMs);
  const usage: Partial<ModelUsage> = {};
  let end: End | undefined;
  let failure: unknown;
  try {
    const response = await retried(deadline.signal, async () =>
      postToProvider({ ...(await protocol.request(request, deadline.signal)), signal: deadline.signal }),
    );
    let held = '';
    for await (const data of sseData(bodyOf(response))) {
      // Not for comments, with which a proxy keeps a connection open whose model is dead.
      deadline.renew(nextTokenMs);
      if (data === '[DONE]') {
        end ??= 'done';
        break;
      }
      const piece = read(protocol, data);
      Object.assign(usage, piece.usage);
      end ??= piece.end;
      const whole = held + (piece.text ?? '');
      held = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? '';
      const text = whole.slice(0, whole.length - held.length);
      if (text === '') continue;
      // A reader that takes its time is not the service's fault.
      deadline.pause();
      yield { type: 'text', text };
      deadline.renew(nextTokenMs);
    }
  } catch (error) {
    failure = deadline.explain(error);
    signal.throwIfAborted();
  } finally {
    deadline.stop();
  }
  if (usage.inputTokens !== undefined && usage.outputTokens !== undefined)
    yield { type: 'usage', usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens } };
  if (end === 'length') throw new ProviderFailure('length', 'the answer reached its largest length');
  if (end === 'refused') throw new ProviderFailure('refused', 'the model declined to answer');
  // With the answer complete, a connection that breaks afterwards has lost nothing.
  if (end === 'done') return;
  throw failure === undefined || !(failure instanceof ProviderFailure)
    ? new ProviderFailure('unavailable', 'broke off', { cause: failure })
    : failure;
}

function bodyOf(response: Response): AsyncIterable<Uint8Array> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.body || !/^text\/event-stream\b/i.test(type))
    throw new ProviderFailure(
      'misconfigured',
      `answered with ${type.slice(0, 60) || 'no type'} where a stream was asked for`,
    );
  return response.body;
}

function read(protocol: Protocol, data: string): Piece {
  try {
    return protocol.read(JSON.parse(data));
  } catch (cause) {
    if (cause instanceof ProviderFailure) throw cause;
    // Its message quotes what was sent.
    throw new ProviderFailure('unavailable', 'sent an event that can not be read');
  }
}
