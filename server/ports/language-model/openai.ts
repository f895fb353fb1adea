import { z } from 'zod';
import { bearer, failureFrom, reasonIn } from '#server/lib/provider-http.ts';
import type { End, Piece, Protocol } from './stream.ts';

export interface OpenAiOptions {
  /** With its version, such as https://api.openai.com/v1 or http://localhost:11434/v1. */
  baseUrl: string;
  model: string;
  apiKey?: string | undefined;
  temperature?: number | undefined;
  /** OpenAI's own newer models take only the newer name; most servers of others know only the older one. */
  lengthField: 'max_completion_tokens' | 'max_tokens';
}

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  error: z.unknown().optional(),
});

const ends: Record<string, End> = { length: 'length', content_filter: 'refused' };

/** OpenAI's Chat Completions as a stream: what Ollama, vLLM, LM Studio, llama.cpp and most gateways speak too. */
export function openAiProtocol({ baseUrl, model, apiKey, temperature, lengthField }: OpenAiOptions): Protocol {
  return {
    async request({ system, messages, maxTokens }) {
      return {
        url: `${baseUrl}/chat/completions`,
        headers: bearer(apiKey),
        body: {
          model,
          messages: [
            { role: 'system', content: system },
            ...messages.map(({ role, text }) => ({ role, content: text })),
          ],
          [lengthField]: maxTokens,
          ...(temperature !== undefined && { temperature }),
          stream: true,
          stream_options: { include_usage: true },
        },
      };
    },

    read(event): Piece {
      const { choices, usage, error } = chunk.parse(event);
      if (error) throw failureFrom(reasonIn(event));
      const choice = choices?.[0];
      const reason = choice?.finish_reason;
      // A refusal comes in words of its own, which are no answer.
      const refused = choice?.delta?.refusal ? 'refused' : undefined;
      return {
        text: choice?.delta?.content ?? undefined,
        usage: usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : undefined,
        end: refused ?? (reason ? (ends[reason] ?? 'done') : undefined),
      };
    },
  };
}
