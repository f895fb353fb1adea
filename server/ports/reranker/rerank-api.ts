import { z } from 'zod';
import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { askProvider, bearer } from '#server/lib/provider-http.ts';
import type { Reranker } from './port.ts';

export interface RerankerOptions {
  /** `/rerank` is below it, such as https://api.cohere.com/v2 or https://api.jina.ai/v1. */
  baseUrl: string;
  model: string;
  apiKey?: string | undefined;
}

/** Somebody is waiting, and the order without it is good too. */
const timeoutMs = 4000;

const answer = z.object({
  results: z.array(z.object({ index: z.number().int().min(0), relevance_score: z.number() })),
});

/** The rerank API of Cohere, which Jina, vLLM, llama.cpp and LiteLLM have taken over. */
export function rerankApi({ baseUrl, model, apiKey }: RerankerOptions): Reranker {
  return {
    name: `rerank API (${model})`,
    async rerank(question, passages, signal) {
      if (passages.length === 0) return [];
      const { results } = await askProvider(
        {
          url: `${baseUrl}/rerank`,
          headers: bearer(apiKey),
          body: { model, query: question, documents: passages, top_n: passages.length },
          signal,
        },
        { answer, timeoutMs },
      );
      const scores = new Map(results.map(({ index, relevance_score }) => [index, relevance_score]));
      return passages.map((_, i) => {
        const score = scores.get(i);
        if (score === undefined) throw new ProviderFailure('misconfigured', 'left out a score');
        return score;
      });
    },
  };
}
