import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { AppError } from '#contract/errors.ts';
import { toAppError } from '#server/calls/errors.ts';
import { placeOf, readText } from './document-text.ts';
import { sentenceOf, type ToolOptions } from './tools.ts';

const scheme = 'footnote://documents/';
const perPage = 500;
const textType = 'text/markdown';

/** Documents that answer, as resources: their text, which a person can put before a model. */
export function registerResources({ server }: McpServer, { call, readable }: ToolOptions): void {
  server.setRequestHandler('resources/list', ({ params }) =>
    refusedAsProtocol({}, async () => {
      const files = await call('getCompanyFiles', null);
      // An order that stays while files come and go, so that a page is left where the next one begins.
      const ready = files
        .filter(({ currentVersion }) => currentVersion !== undefined)
        .sort((a, b) => compare(a.id, b.id));
      const after = params?.cursor;
      const rest = after === undefined ? ready : ready.filter(({ id }) => compare(id, after) > 0);
      const page = rest.slice(0, perPage);
      const resources = await Promise.all(
        page.map(async ({ id, name, uploadedAt }) => ({
          uri: scheme + id,
          name: await readable.nameToRead(name),
          mimeType: textType,
          annotations: { lastModified: uploadedAt },
        })),
      );
      const last = page.at(-1);
      return { resources, ...(last && rest.length > perPage && { nextCursor: last.id }) };
    }),
  );
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [
      {
        uriTemplate: `${scheme}{documentId}{?from}`,
        name: 'document',
        title: 'A document',
        description: 'Its text; of a long one from a block on.',
        mimeType: textType,
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    refusedAsProtocol({ uri }, async () => {
      if (!uri.startsWith(scheme)) throw new AppError('file-not-found');
      const { documentId, text, next } = await readText(call, placeOf(uri.slice(scheme.length)), readable);
      const goesOn = next === null ? '' : `\n\n[It goes on: ${scheme}${documentId}?from=${next}]`;
      return { contents: [{ uri, mimeType: textType, text: text + goesOn }] };
    }),
  );
}

/** Errors of resources are those of the protocol: no model reads them. */
async function refusedAsProtocol<T>(about: { uri?: string }, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (thrown) {
    const error = toAppError(thrown);
    const isTheirs = error.status === 'NOT_FOUND' || error.status === 'INVALID_ARGUMENT';
    const code = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, sentenceOf(error), { ...about, ...error.details, code: error.code });
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
