import type { Turn } from './script.ts';

export type ModelProtocol = 'openai' | 'anthropic' | 'vertex';

/** How a service writes its stream and its errors; written from the services' own documents. */
export interface Wire {
  /** Below the server's origin: what the service calls its base address. */
  base: string;
  /** The path on which it answers. */
  path: RegExp;
  begin(inputTokens: number): string;
  piece(text: string): string;
  end(end: NonNullable<Turn['end']>, tokens: { input: number; output: number } | null): string;
  /** The body of an error; in a stream it stands in an event. */
  error(reason: string, status: number): object;
  errorEvent(reason: string): string;
}

export const wires: Record<ModelProtocol, Wire> = {
  openai: {
    base: '/v1',
    path: /^\/v1\/chat\/completions$/,
    begin: () => `: a comment\n\n${data(openAiChunk({ delta: { role: 'assistant', content: '' } }))}`,
    piece: (text) => data(openAiChunk({ delta: { content: text } })),
    end: (end, tokens) =>
      [
        data(
          openAiChunk({ delta: {}, finish_reason: { done: 'stop', length: 'length', refused: 'content_filter' }[end] }),
        ),
        ...(tokens
          ? [data({ choices: [], usage: { prompt_tokens: tokens.input, completion_tokens: tokens.output } })]
          : []),
        'data: [DONE]\n\n',
      ].join(''),
    error: (reason) => ({ error: { message: leak, type: reason, param: null, code: null } }),
    errorEvent: (reason) => data({ error: { message: leak, type: reason } }),
  },

  anthropic: {
    base: '',
    path: /^\/v1\/messages$/,
    begin: (input) =>
      named({
        type: 'message_start',
        message: { role: 'assistant', usage: { input_tokens: input, output_tokens: 1 } },
      }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
      named({ type: 'ping' }),
    piece: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end: (end, tokens) =>
      named({ type: 'content_block_stop', index: 0 }) +
      named({
        type: 'message_delta',
        delta: { stop_reason: { done: 'end_turn', length: 'max_tokens', refused: 'refusal' }[end] },
        ...(tokens && { usage: { output_tokens: tokens.output } }),
      }) +
      named({ type: 'message_stop' }),
    error: (reason) => ({ type: 'error', error: { type: reason, message: leak } }),
    errorEvent: (reason) => named({ type: 'error', error: { type: reason, message: leak } }),
  },

  vertex: {
    base: '',
    path: /^\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
    begin: () => '',
    // This one ends its lines with both signs.
    piece: (text) => data({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }, '\r\n'),
    end: (end, tokens) =>
      data(
        {
          candidates: [
            {
              content: { role: 'model', parts: [{ text: 'a thought', thought: true }] },
              finishReason: { done: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' }[end],
            },
          ],
          ...(tokens && {
            usageMetadata: {
              promptTokenCount: tokens.input,
              candidatesTokenCount: tokens.output - 1,
              thoughtsTokenCount: 1,
            },
          }),
        },
        '\r\n',
      ),
    error: (reason, status) => [{ error: { code: status, status: reason, message: leak } }],
    errorEvent: (reason) => data({ error: { code: 503, status: reason, message: leak } }, '\r\n'),
  },
};

/** Error texts of services quote keys and questions: none of this may get into a log. */
const leak = 'Incorrect key provided: sk-leaked-by-the-service. The prompt began with: What is secret?';

function openAiChunk(choice: object): object {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, finish_reason: null, ...choice }] };
}

function data(event: object, end = '\n'): string {
  return `data: ${JSON.stringify(event)}${end}${end}`;
}

function named(event: { type: string; [key: string]: unknown }): string {
  return `event: ${event.type}\n${data(event)}`;
}
