import { z } from 'zod';
import { ProviderFailure } from '#server/lib/provider-failure.ts';
import { askProvider, bearer } from '#server/lib/provider-http.ts';
import type { Judgement, SecondReader } from '../port.ts';

export interface NliOptions {
  /** `/predict` is below it, such as http://localhost:8080. */
  baseUrl: string;
  apiKey?: string | undefined;
}

/** The reader waits for no longer. */
const timeoutMs = 5000;
/** Of the likeliest label; below it nothing is to be told. */
const minScore = 0.7;

const answer = z.array(z.array(z.object({ label: z.string(), score: z.number() })).min(1));

/**
 * A model for natural language inference behind the `/predict` of text-embeddings-inference: pairs of premise and
 * hypothesis, each answered with its labels and their scores.
 */
export function nliService({ baseUrl, apiKey }: NliOptions): SecondReader {
  return {
    name: 'NLI service',
    async judge(pairs, signal) {
      if (pairs.length === 0) return { judgements: [] };
      const inputs = pairs.map(({ passage, statement }) => [passage, statement]);
      const labels = await askProvider(
        { url: `${baseUrl}/predict`, headers: bearer(apiKey), body: { inputs, truncate: true }, signal },
        { answer, timeoutMs },
      );
      if (labels.length !== pairs.length) throw new ProviderFailure('misconfigured', 'left out a pair');
      return { judgements: labels.map(judgementOf) };
    },
  };
}

function judgementOf(labels: { label: string; score: number }[]): Judgement {
  const [best] = labels.toSorted((one, other) => other.score - one.score);
  if (!best || best.score < minScore) return 'open';
  if (/^entail/i.test(best.label)) return 'supported';
  return /^contradict/i.test(best.label) ? 'contradicted' : 'open';
}
