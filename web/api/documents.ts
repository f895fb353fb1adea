import { queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

/** A version of a document, and what is cited of it. */
export type Document = CallOutput<'getDocument'>;

export function isBeingRead({ state }: Document): boolean {
  return state === 'queued' || state === 'processing';
}

export function documentQuery({ documentId, version, cite, at }: CallInput<'getDocument'>) {
  return queryOptions({
    queryKey: ['document', documentId, version, cite ?? at ?? null],
    queryFn: ({ signal }) =>
      call('getDocument', { documentId, version, ...(cite ? { cite } : at ? { at } : {}) }, { signal }),
  });
}

/** Blocks of its text. */
export function readingQuery(wanted: Required<CallInput<'getReadingView'>>) {
  const { documentId, version, from } = wanted;
  return queryOptions({
    queryKey: ['reading', documentId, version, from],
    queryFn: ({ signal }) => call('getReadingView', wanted, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** One link for as long as a picture is shown: a newer one to the same bytes would draw it anew. */
export function pictureQuery(document: Document) {
  return queryOptions({
    queryKey: ['picture', document.documentId, document.version],
    queryFn: () => currentLink(document, document.version),
    staleTime: 'static',
    gcTime: 0,
  });
}

interface Original {
  path: string;
  bucket: string;
}

/** A link ends after ten minutes; it is replaced before. */
const linkLifetimeMs = 8 * 60_000;

/** A link to a version's original that is valid now. */
export function linkQuery({ path, bucket }: Original, version: number) {
  return queryOptions({
    queryKey: ['link', bucket, path, version],
    queryFn: async () => atThisHost((await call('getFileLink', { gsUri: gsUri({ path, bucket }), version })).url),
    staleTime: linkLifetimeMs,
    refetchInterval: linkLifetimeMs,
    refetchOnWindowFocus: true,
  });
}

export function currentLink(original: Original, version: number): Promise<string> {
  return queryClient.fetchQuery(linkQuery(original, version));
}

/**
 * Opens a file's original in a new tab.
 * @throws AppError as every call; Error when the browser lets no tab open
 */
export async function openOriginal(original: Original): Promise<void> {
  // Before the call: afterwards the browser would take the tab for a pop-up, and block it.
  const tab = window.open('', '_blank');
  if (!tab) throw new Error('The browser blocked the tab.');
  tab.opener = null;
  try {
    const { url } = await call('getFileLink', { gsUri: gsUri(original) });
    tab.location.replace(atThisHost(url));
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** A link is made with the public address; under a company's own host name its page may ask that host alone. */
function atThisHost(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}

function gsUri({ path, bucket }: Original): string {
  return `gs://${bucket}/${path}`;
}
