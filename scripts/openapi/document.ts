import { readFileSync } from 'node:fs';
import { apiKeyScopes } from '#contract/api-keys.ts';
import type { Call } from '#contract/call.ts';
import { commonErrors, errorsOf } from '#contract/call-errors.ts';
import { sectionOf, sections } from '#contract/call-sections.ts';
import { type CallName, calls } from '#contract/calls.ts';
import { idempotencyKey, idempotencyKeyHours } from '#contract/idempotency-key.ts';
import { planWith } from '#contract/plans.ts';
import { readComments } from './comments.ts';
import { commonResponses, errorResponses, errorSchema, errorTexts } from './responses.ts';
import { type Schema, toSchema } from './schemas.ts';
import { uploadPaths, uploadTag } from './uploads.ts';

/** What a call was sent and answered in a real run. */
export interface Example {
  input: unknown;
  output: unknown;
  messages?: unknown[];
}
export type Examples = Partial<Record<CallName, Example>>;

export interface Operation {
  operationId: string;
  [field: string]: unknown;
}

/** The parts that our own readers of it ask for: the page, the comparison and the tests. */
export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  [field: string]: unknown;
}

const who = { anyone: 'anyone', member: 'everybody who is signed in', admin: 'admins' } as const;

/** The whole of what can be called, as OpenAPI 3.1. The same contract and examples always give the same document. */
export function openApiDocument(): OpenApi {
  const examples: Examples = JSON.parse(readFileSync('scripts/openapi/examples.json', 'utf8'));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const comments = readComments();
  const operations = Object.entries(calls).map(([name, call]) => {
    const schema = (part: 'input' | 'output' | 'message', of: Call['input']) =>
      toSchema(of, part === 'input' ? 'input' : 'output', comments(name, part));
    const shapes = {
      input: schema('input', call.input),
      output: schema('output', call.output),
      ...('message' in call && call.message && { message: schema('message', call.message) }),
    };
    return [`/${name}`, { post: operation(name as CallName, call, shapes, examples[name as CallName]) }] as const;
  });
  return {
    openapi: '3.1.1',
    info: {
      title: 'Footnote API',
      version,
      summary: "Ask your company's documents, and get answers whose numbered citations open the original.",
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1', description: 'This service' }],
    tags: [...Object.entries(sections).map(([name, about]) => ({ name, description: about })), uploadTag],
    'x-errors': commonErrors,
    'x-error-codes': errorTexts,
    paths: { ...Object.fromEntries(operations), ...uploadPaths },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'fn_…',
          description: `An API key, personal or of the company. Its scope opens the calls that need it or one before it: ${apiKeyScopes.join(', ')}. Plans: ${planWith('api-keys')} and those above it.`,
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The ID token that signIn answers. It holds for minutes; refreshSession answers the next one.',
        },
      },
      schemas: { Error: errorSchema },
      responses: commonResponses(),
    },
  };
}

function operation(
  name: CallName,
  call: Call,
  { input, output, message }: { input: Schema; output: Schema; message?: Schema },
  example: Example | undefined,
): Operation {
  const envelope = {
    type: 'object',
    properties: { result: output, ...(call.alsoAsData && { data: output }) },
    required: ['result', ...(call.alsoAsData ? ['data'] : [])],
  };
  const answered = example && {
    result: example.output,
    ...(call.alsoAsData && { data: example.output }),
  };
  return {
    operationId: name,
    tags: [sectionOf[name]],
    summary: headline(call.summary),
    description: `${call.summary}\n\nWho: ${who[call.access]}. API keys: ${call.scope === null ? 'no' : `scope \`${call.scope}\``}. Plan: ${call.feature === null ? 'any' : `\`${call.feature}\` (${planWith(call.feature)})`}. Sending it again ${call.idempotent ? 'changes nothing more' : call.byKey ? 'with the same `Idempotency-Key` answers what was stored; without one it does it again' : 'does it again'}.`,
    security:
      call.access === 'anyone' ? [] : [...(call.scope === null ? [] : [{ apiKey: [call.scope] }]), { session: [] }],
    'x-scope': call.scope,
    'x-access': call.access,
    'x-feature': call.feature,
    'x-idempotent': call.idempotent,
    'x-errors': errorsOf(name, call),
    ...(call.byKey && { parameters: [keyHeader] }),
    ...(message && {
      'x-stream': {
        description: `With \`Accept: text/event-stream\`: lines \`data: {"message": …}\` of this shape, then one \`data: {"result": …}\` or \`data: {"error": …}\`. Every 15 seconds a line \`: ping\`.`,
        message,
        ...(example?.messages && { example: example.messages }),
      },
    }),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { data: input }, required: ['data'], additionalProperties: false },
          ...(example && { example: { data: example.input } }),
        },
      },
    },
    responses: {
      200: {
        description: 'It is done.',
        content: { 'application/json': { schema: envelope, ...(answered && { example: answered }) } },
      },
      ...errorResponses(errorsOf(name, call)),
    },
  };
}

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `A name of your own for this try, such as a UUID. The same person who sends the same with it again, since the reply was lost, is answered what was stored, for ${idempotencyKeyHours} hours: it is stored, counted and told of once.`,
  schema: toSchema(idempotencyKey, 'input', new Map()),
};

/** The first sentence, which is short enough for a list. */
function headline(summary: string): string {
  return summary.split(/(?<=[^.])[.:;](?:\s|$)/, 1)[0] ?? summary;
}

const description = `Every call is \`POST /v1/<name>\` with the JSON \`{"data": <input>}\` and answers \`{"result": <output>}\`, or \`{"error": {"status", "message", "details"}}\` with the HTTP status of the error. \`Authorization: Bearer <API key>\` says who calls.

A call that can be streamed is the same POST with \`Accept: text/event-stream\` (\`x-stream\`); a stream has the HTTP status 200 whatever comes of it, and its last line says so. Files are uploaded by tus 1.0 at \`/v1/uploads\`.

More fields may come in what is answered, and more values where a field has a list of them; none go, and nothing that is sent today will be refused. \`x-errors\` lists the codes that a call can answer, beside those at the top of this document, which any may.`;
