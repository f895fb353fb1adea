import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { CallOutput } from '#contract/calls.ts';
import type { AppError } from '#contract/errors.ts';
import { toAppError } from '#server/calls/errors.ts';
import { idOf, placeOf, type Readable, readText } from './document-text.ts';
import type { MakeCall } from './make-call.ts';
import {
  askInput,
  askOutput,
  type FullAnswer,
  fetchInput,
  fetchOutput,
  searchInput,
  searchOutput,
} from './tool-schemas.ts';

export interface ToolOptions {
  call: MakeCall;
  readable: Readable;
  /** Under which whoever asks knows the service, without a path. */
  address: string;
}

/** Nothing is changed, and nothing outside the company is asked. */
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export function registerTools(server: McpServer, { call, readable, address }: ToolOptions): void {
  server.registerTool(
    'search',
    {
      title: 'Search the documents',
      description:
        "Finds the passages of the company's documents that fit a query best, best first. Use fetch to read on around one, ask for an answer with sources.",
      inputSchema: searchInput,
      outputSchema: searchOutput,
      annotations: reads,
    },
    async ({ query, limit }) =>
      answerWith(async () => {
        const { passages } = await call('searchPassages', { query, ...(limit !== undefined && { limit }) });
        return { results: await Promise.all(passages.map((passage) => resultOf(passage, readable, address))) };
      }),
  );
  server.registerTool(
    'fetch',
    {
      title: 'Read a document',
      description: 'Reads the text of a document, from its beginning or from the passage that the id names.',
      inputSchema: fetchInput,
      outputSchema: fetchOutput,
      annotations: reads,
    },
    async ({ id }) =>
      answerWith(async () => {
        const { documentId, version, name, text, next, isCut } = await readText(call, placeOf(id), readable);
        const whole = idOf({ documentId, version });
        return {
          id,
          title: name,
          text,
          url: `${address}/documents/${idOfPlace(id, whole)}`,
          metadata: {
            documentId,
            version,
            ...(next !== null && { next: idOf({ documentId, version, from: next }) }),
            ...(isCut && { left_out: 'Text that gives orders to language models.' }),
          },
        };
      }),
  );
  server.registerTool(
    'ask',
    {
      title: 'Ask the documents',
      description:
        "Answers a question from the company's documents alone. Each statement has a source whose quote stands in the document word for word, and whose url opens it there.",
      inputSchema: askInput,
      outputSchema: askOutput,
      annotations: reads,
    },
    async ({ question }, context) =>
      answerWith(async () => {
        const answer = await call(
          'query',
          { history: [{ role: 'user', parts: [{ text: question }] }] },
          createProgress(context),
        );
        return answerOf(answer, readable, address);
      }),
  );
}

/** The same address that the id has, where it opens a place. */
function idOfPlace(id: string, whole: string): string {
  const place = /\?(?:.*&)?((?:cite|at)=[\w-]+)/.exec(id)?.[1];
  return place === undefined ? whole : `${whole}?${place}`;
}

type Answer = CallOutput<'query'>;

async function resultOf(
  { documentId: _, name, url, text, heading, page }: CallOutput<'searchPassages'>['passages'][number],
  { nameToRead }: Readable,
  address: string,
) {
  return {
    id: url.replace('/documents/', ''),
    title: await nameToRead(name),
    url: address + url,
    text,
    ...(heading !== undefined && { heading }),
    ...(page !== undefined && { page }),
  };
}

async function answerOf(answer: Answer, readable: Readable, address: string): Promise<FullAnswer> {
  const { closest, notice, contact } = answer;
  return {
    answer: answer.answer,
    answered: answer.answered,
    sources: await Promise.all(
      answer.sources.map(async ({ n, title, quote, url, page, supporting }) => ({
        n,
        id: url.replace('/documents/', ''),
        title: await readable.nameToRead(title),
        quote,
        url: address + url,
        ...(page !== undefined && { page }),
        ...(supporting && { supporting }),
      })),
    ),
    ...(closest && { closest: await Promise.all(closest.map((each) => resultOf(each, readable, address))) }),
    ...(notice !== undefined && { notice }),
    ...(contact !== undefined && { contact }),
  };
}

const steps = [
  { name: 'searching', said: 'Searching the documents' },
  { name: 'reading', said: 'Reading what was found' },
  { name: 'writing', said: 'Writing the answer' },
];

/** Tells the program how far it is, where that has asked for it. */
function createProgress({ mcpReq }: ServerContext): (message: { type: string; status?: string }) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let told = -1;
  return ({ type, status }) => {
    const step = type === 'status' ? steps.findIndex(({ name }) => name === status) : -1;
    // Progress only ever grows: an answer that begins anew tells nothing.
    if (progressToken === undefined || step <= told) return;
    told = step;
    const params = { progressToken, progress: step + 1, total: steps.length + 1, message: steps[step]?.said };
    // Whoever has gone hears nothing, and the call ends by itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** What a tool answers, for programs and once more as text; or what was refused, for the model to read. */
async function answerWith(make: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = await make();
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (thrown) {
    return { isError: true, content: [{ type: 'text', text: sentenceOf(toAppError(thrown)) }] };
  }
}

/** What is wrong, and the code by which `docs/errors.md` lists it. */
export function sentenceOf({ message, code, details }: AppError): string {
  const wait = typeof details.retryAfterSeconds === 'number' ? ` Try again in ${details.retryAfterSeconds} s.` : '';
  return `${message}${wait} (${code})`;
}
