import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type GoogleAccount, googleAccount } from '#server/lib/google-account.ts';
import type { EmbeddingsOptions } from '#server/ports/embeddings/openai-embeddings.ts';
import type { ModelOptions, SecondReaderOptions } from '#server/ports/language-model/open.ts';
import type { RerankerOptions } from '#server/ports/reranker/rerank-api.ts';

/** The services with a model, each absent where none is configured. */
export interface ModelConfig {
  /** Absent: answers are quotes alone. */
  languageModel?: ModelOptions;
  /** Absent: words alone decide whether a passage says what an answer says. */
  secondReader?: SecondReaderOptions;
  /** Absent: search is by words alone. */
  embeddings?: EmbeddingsOptions;
  /** Absent: the order of the search is kept. */
  reranker?: RerankerOptions;
}

const providers = ['none', 'openai-compatible', 'openai', 'anthropic', 'vertex'] as const;
/** What a server for many models serves usually; a context that is too large is cut there without a word. */
const usualContext = { 'openai-compatible': 8192, openai: 64_000, anthropic: 64_000, vertex: 64_000 };

/** Of a service, with a path where it has one. */
export const baseAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address (http:// or https://)' })
  .refine(
    (url) => !URL.canParse(url) || !hasMore(new URL(url)),
    'must have no password, ? or # (the key is set apart)',
  );
const whole = z.coerce.number('must be a number').int('must be a whole number');
const seconds = z.coerce.number('must be a number').min(0.1, 'must be at least 0.1').max(60, 'is at most 60');

export const modelSettings = {
  LLM: z
    .enum(providers, `must be one of ${providers.join(', ')}`)
    .default('none')
    .describe(
      'Who writes answers: none (quotes alone), openai-compatible (Ollama, vLLM, LM Studio, ...), openai, anthropic or vertex.',
    ),
  LLM_MODEL: z.string().optional().describe('Name of the language model, as its service has it.'),
  LLM_BASE_URL: baseAddress
    .optional()
    .describe('Address of the language model, such as http://localhost:11434/v1; needed for openai-compatible alone.'),
  LLM_API_KEY: z
    .string()
    .optional()
    .describe('Key for openai or anthropic, or for an openai-compatible server that wants one.'),
  LLM_PROJECT: z.string().optional().describe('With vertex: the id of the Google project.'),
  LLM_LOCATION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as europe-west4, or global')
    .optional()
    .describe('With vertex: the region, such as europe-west4; not set: global.'),
  LLM_SERVICE_ACCOUNT: z
    .string()
    .optional()
    .describe('With vertex: path of the key file of a service account that may use Vertex AI.'),
  LLM_CONTEXT_TOKENS: whole
    .min(2048, 'must be at least 2048')
    .optional()
    .describe(
      'Tokens that question, passages and answer may have together; not set: 8192 with openai-compatible, else 64000.',
    ),
  LLM_TEMPERATURE: z.coerce
    .number('must be a number')
    .min(0, 'must be at least 0')
    .max(2, 'is at most 2')
    .optional()
    .describe("How freely the model words its answers, from 0; not set: the model's own, which some insist on."),
  LLM_FIRST_TOKEN_SECONDS: seconds
    .default(30)
    .describe('Seconds until the language model has to begin; after that the answer is made of quotes.'),
  LLM_NEXT_TOKEN_SECONDS: seconds
    .default(15)
    .describe('Seconds for which the language model may pause within an answer.'),
  LLM_VERIFY: z
    .enum(['auto', 'off'], 'must be auto or off')
    .default('auto')
    .describe(
      'Whether statements of an answer on which words alone do not decide are read a second time beside their passages, in a short request of at most 5 seconds while the answer goes on: auto or off.',
    ),
  LLM_VERIFY_MODEL: z
    .string()
    .optional()
    .describe('Name of the model that reads a second time, such as a smaller one; not set: LLM_MODEL.'),
  LLM_VERIFY_URL: baseAddress
    .optional()
    .describe('OpenAI-compatible address of LLM_VERIFY_MODEL, where that is another service than the one of LLM.'),
  LLM_VERIFY_KEY: z.string().optional().describe('Key for LLM_VERIFY_URL or NLI_URL, where the server wants one.'),
  NLI_URL: baseAddress
    .optional()
    .describe(
      'Address of a model for natural language inference that reads a second time in place of a language model: /predict of text-embeddings-inference is below it.',
    ),
  EMBEDDINGS_URL: baseAddress
    .optional()
    .describe(
      'OpenAI-compatible address for embeddings, such as http://localhost:11434/v1; not set: passages are found by their words alone.',
    ),
  EMBEDDINGS_MODEL: z
    .string()
    .optional()
    .describe('Name of the embedding model. After a change all passages get vectors anew, in the background.'),
  EMBEDDINGS_KEY: z.string().optional().describe('Key for embeddings, where the server wants one.'),
  EMBEDDINGS_DIMENSIONS: whole
    .min(1, 'must be at least 1')
    .max(8192, 'is at most 8192')
    .optional()
    .describe("Dimensions to ask for, of a model that has a choice; not set: the model's own."),
  EMBEDDINGS_BATCH: whole
    .min(1, 'must be at least 1')
    .max(2048, 'is at most 2048')
    .default(64)
    .describe('Passages embedded in one request.'),
  EMBEDDINGS_QUESTION_PREFIX: z
    .string()
    .optional()
    .describe('What the embedding model wants before a question, such as "query: ".'),
  EMBEDDINGS_PASSAGE_PREFIX: z
    .string()
    .optional()
    .describe('What the embedding model wants before a passage, such as "passage: ".'),
  RERANKER_URL: baseAddress
    .optional()
    .describe(
      'Address below which /rerank is (Cohere, Jina, vLLM, ...), such as https://api.jina.ai/v1; not set: the order of the search is kept.',
    ),
  RERANKER_MODEL: z.string().optional().describe('Name of the reranking model.'),
  RERANKER_KEY: z.string().optional().describe('Key for reranking, where the server wants one.'),
};

const settings = z.object(modelSettings);
type Settings = z.infer<typeof settings>;

/** Each service all of it or none; what is missing or of no use goes to the problems. */
export function modelConfig(values: Settings, problems: string[]): ModelConfig {
  const languageModel = languageModelOptions(values, problems);
  const secondReader = secondReaderOptions(values, languageModel, problems);
  const vectors = pair(values, 'EMBEDDINGS', problems);
  const ranks = pair(values, 'RERANKER', problems);
  return {
    ...(languageModel && { languageModel }),
    ...(secondReader && { secondReader }),
    ...(vectors && {
      embeddings: {
        ...vectors,
        dimensions: values.EMBEDDINGS_DIMENSIONS,
        batch: values.EMBEDDINGS_BATCH,
        prefixes: {
          question: values.EMBEDDINGS_QUESTION_PREFIX ?? '',
          passage: values.EMBEDDINGS_PASSAGE_PREFIX ?? '',
        },
      },
    }),
    ...(ranks && { reranker: ranks }),
  };
}

function languageModelOptions(values: Settings, problems: string[]): ModelOptions | null {
  const provider = values.LLM;
  const used: Record<(typeof providers)[number], (keyof Settings)[]> = {
    none: [],
    'openai-compatible': ['LLM_MODEL', 'LLM_BASE_URL', 'LLM_API_KEY'],
    openai: ['LLM_MODEL', 'LLM_BASE_URL', 'LLM_API_KEY'],
    anthropic: ['LLM_MODEL', 'LLM_BASE_URL', 'LLM_API_KEY'],
    vertex: ['LLM_MODEL', 'LLM_BASE_URL', 'LLM_PROJECT', 'LLM_LOCATION', 'LLM_SERVICE_ACCOUNT'],
  };
  const ofSome = new Set(Object.values(used).flat());
  for (const name of ofSome)
    if (values[name] !== undefined && !used[provider].includes(name))
      problems.push(`${name} is of no use with LLM=${provider}.`);
  if (provider === 'none') return null;

  const need = (name: 'LLM_MODEL' | 'LLM_BASE_URL' | 'LLM_API_KEY' | 'LLM_PROJECT' | 'LLM_SERVICE_ACCOUNT') => {
    const value = values[name];
    if (value === undefined) problems.push(`${name} is missing: LLM=${provider} needs it.`);
    return value ?? '';
  };
  const common = {
    model: need('LLM_MODEL'),
    contextTokens: values.LLM_CONTEXT_TOKENS ?? usualContext[provider],
    temperature: values.LLM_TEMPERATURE,
    firstTokenMs: values.LLM_FIRST_TOKEN_SECONDS * 1000,
    nextTokenMs: values.LLM_NEXT_TOKEN_SECONDS * 1000,
  };
  const baseUrl = values.LLM_BASE_URL === undefined ? undefined : withoutSlash(values.LLM_BASE_URL);
  if (provider === 'openai-compatible')
    return { ...common, provider, baseUrl: withoutSlash(need('LLM_BASE_URL')), apiKey: values.LLM_API_KEY };
  if (provider !== 'vertex') return { ...common, provider, baseUrl, apiKey: need('LLM_API_KEY') };
  const project = need('LLM_PROJECT');
  const account = readAccount(need('LLM_SERVICE_ACCOUNT'), problems);
  return account && { ...common, provider, baseUrl, project, location: values.LLM_LOCATION ?? 'global', account };
}

function secondReaderOptions(
  values: Settings,
  writer: ModelOptions | null,
  problems: string[],
): SecondReaderOptions | null {
  const { LLM_VERIFY_MODEL: model, LLM_VERIFY_URL: url, LLM_VERIFY_KEY: apiKey, NLI_URL: nli } = values;
  const isWanted = values.LLM_VERIFY === 'auto' && values.LLM !== 'none';
  const set = { LLM_VERIFY_MODEL: model, LLM_VERIFY_URL: url, LLM_VERIFY_KEY: apiKey, NLI_URL: nli };
  for (const [name, value] of Object.entries(set))
    if (value !== undefined && !isWanted) problems.push(`${name} is of no use with LLM_VERIFY=off or LLM=none.`);
  if (!isWanted || !writer) return null;
  if (nli !== undefined && model !== undefined)
    problems.push('NLI_URL and LLM_VERIFY_MODEL are set: only one of both reads a second time.');
  if (url !== undefined && model === undefined) problems.push('LLM_VERIFY_MODEL is missing: LLM_VERIFY_URL needs it.');
  if (apiKey !== undefined && url === undefined && nli === undefined)
    problems.push('LLM_VERIFY_URL is missing: LLM_VERIFY_KEY is of no use without it or NLI_URL.');
  if (nli !== undefined) return { kind: 'nli', baseUrl: withoutSlash(nli), apiKey };
  if (model === undefined) return { kind: 'same' };
  if (url === undefined) return { kind: 'model', model: { ...writer, model } };
  const { contextTokens, firstTokenMs, nextTokenMs, temperature } = writer;
  const common = { contextTokens, firstTokenMs, nextTokenMs, temperature };
  return {
    kind: 'model',
    model: { ...common, provider: 'openai-compatible', baseUrl: withoutSlash(url), apiKey, model },
  };
}

function readAccount(path: string, problems: string[]): GoogleAccount | null {
  if (path === '') return null;
  try {
    return googleAccount.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    problems.push(`LLM_SERVICE_ACCOUNT is not a readable key file. It is "${path}".`);
    return null;
  }
}

/** Address and model, both or neither; all else that is set is of no use without. */
function pair(values: Settings, name: 'EMBEDDINGS' | 'RERANKER', problems: string[]): RerankerOptions | null {
  const [url, model, apiKey] = [values[`${name}_URL`], values[`${name}_MODEL`], values[`${name}_KEY`]];
  if (url !== undefined && model !== undefined) return { baseUrl: withoutSlash(url), model, apiKey };
  if (url !== undefined) problems.push(`${name}_MODEL is missing: ${name}_URL needs it.`);
  else if (model !== undefined || apiKey !== undefined)
    problems.push(`${name}_URL is missing: ${name}_MODEL and ${name}_KEY are of no use without it.`);
  return null;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function hasMore({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].some((part) => part !== '');
}
