import { z } from 'zod';
import { failureFrom, reasonIn } from '#server/lib/provider-http.ts';
import type { ModelUsage } from './port.ts';
import type { End, Piece, Protocol } from './stream.ts';

export interface AnthropicOptions {
  /** Without a version, such as https://api.anthropic.com. */
  baseUrl: string;
  model: string;
  apiKey: string;
  temperature?: number | undefined;
}

const apiVersion = '2023-06-01';

const tokens = z.number().nullish();
const usageOf = z.object({
  input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  output_tokens: tokens,
});
const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: usageOf.nullish() }) }),
  z.object({
    type: z.literal('content_block_delta'),
    delta: z.object({ type: z.string(), text: z.string().optional() }),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: usageOf.nullish(),
  }),
  z.object({ type: z.literal('error'), error: z.unknown() }),
]);

const ends: Record<string, End> = { max_tokens: 'length', model_context_window_exceeded: 'length', refusal: 'refused' };

/** Anthropic's Messages API as a stream. */
export function anthropicProtocol({ baseUrl, model, apiKey, temperature }: AnthropicOptions): Protocol {
  return {
    async request({ system, messages, maxTokens }) {
      return {
        url: `${baseUrl}/v1/messages`,
        headers: { 'x-api-key': apiKey, 'anthropic-version': apiVersion },
        body: {
          model,
          system,
          messages: messages.map(({ role, text }) => ({ role, content: text })),
          max_tokens: maxTokens,
          ...(temperature !== undefined && { temperature }),
          stream: true,
        },
      };
    },

    read(data): Piece {
      const parsed = event.safeParse(data);
      // New types of event may come at any time, as the API's own rules for versions say.
      if (!parsed.success) return passedOver.parse(data);
      switch (parsed.data.type) {
        case 'message_start':
          return { usage: counted(parsed.data.message.usage) };
        case 'content_block_delta':
          return parsed.data.delta.type === 'text_delta' ? { text: parsed.data.delta.text } : {};
        case 'message_delta': {
          const reason = parsed.data.delta.stop_reason;
          return { usage: counted(parsed.data.usage), end: reason ? (ends[reason] ?? 'done') : undefined };
        }
        case 'error':
          throw failureFrom(reasonIn(data));
      }
    },
  };
}

const known = new Set(event.options.map(({ shape }) => shape.type.value as string));
const passedOver = z.object({ type: z.string().refine((type) => !known.has(type)) }).transform((): Piece => ({}));

/** What was read from the cache is charged for less, but was read all the same. */
function counted(usage: z.infer<typeof usageOf> | null | undefined): Partial<ModelUsage> {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage ?? {};
  const input = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  return {
    // Later events repeat the input, or leave it out.
    ...(input > 0 && { inputTokens: input }),
    ...(output_tokens != null && { outputTokens: output_tokens }),
  };
}
