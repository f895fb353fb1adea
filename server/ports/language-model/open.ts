import type { GoogleAccount } from '#server/lib/google-account.ts';
import { anthropicProtocol } from './anthropic.ts';
import { openAiProtocol } from './openai.ts';
import type { LanguageModel, SecondReader } from './port.ts';
import { modelReader } from './second-reader/model-reader.ts';
import { type NliOptions, nliService } from './second-reader/nli-service.ts';
import { type Protocol, streamingModel } from './stream.ts';
import { vertexProtocol } from './vertex.ts';

export type ModelOptions = {
  model: string;
  contextTokens: number;
  firstTokenMs: number;
  nextTokenMs: number;
  /** Not set: the service's own, which some models insist on. */
  temperature?: number | undefined;
} & (
  | { provider: 'openai-compatible'; baseUrl: string; apiKey?: string | undefined }
  | { provider: 'openai' | 'anthropic'; baseUrl?: string | undefined; apiKey: string }
  | {
      provider: 'vertex';
      baseUrl?: string | undefined;
      project: string;
      location: string;
      account: GoogleAccount;
    }
);

/** Opens no connection yet: a service that is down does not keep the product from starting. */
export function openLanguageModel(options: ModelOptions): LanguageModel {
  return streamingModel(protocolOf(options), { ...options, name: `${options.provider} (${options.model})` });
}

function protocolOf(options: ModelOptions): Protocol {
  switch (options.provider) {
    case 'openai-compatible':
      return openAiProtocol({ ...options, lengthField: 'max_tokens' });
    case 'openai':
      return openAiProtocol({
        ...options,
        baseUrl: options.baseUrl ?? 'https://api.openai.com/v1',
        lengthField: 'max_completion_tokens',
      });
    case 'anthropic':
      return anthropicProtocol({ ...options, baseUrl: options.baseUrl ?? 'https://api.anthropic.com' });
    case 'vertex':
      return vertexProtocol(options);
  }
}

export type SecondReaderOptions =
  /** The model that writes answers. */
  | { kind: 'same' }
  /** Another one, such as a smaller one. */
  | { kind: 'model'; model: ModelOptions }
  | ({ kind: 'nli' } & NliOptions);

/** @param writer the model that writes answers; without one nothing is read a second time */
export function openSecondReader(
  options: SecondReaderOptions | undefined,
  writer: LanguageModel | undefined,
): SecondReader | undefined {
  if (!options || !writer) return undefined;
  if (options.kind === 'nli') return nliService(options);
  return modelReader(options.kind === 'same' ? writer : openLanguageModel(options.model));
}
