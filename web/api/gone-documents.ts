import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from './call.ts';
import { useCompanyFiles } from './company-files.ts';

/** As many as one call takes. */
const maxAsked = 200;
/** One that the list doesn't reach may be deleted any time, and no change of the list tells. */
const recheckIntervalMs = 60_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const none: ReadonlySet<string> = new Set();

/**
 * Those of the documents that are deleted, as the server says: the list of files ends somewhere, so that one that is
 * missing from it need not be. Only those that are missing are asked for.
 */
export function useGoneDocuments(documentIds: readonly string[]): ReadonlySet<string> {
  const { files, status } = useCompanyFiles();
  const missing = useMemo(() => {
    if (status !== 'ready') return [];
    const listed = new Set(files.map(({ id }) => id));
    return [...new Set(documentIds)].filter((id) => uuid.test(id) && !listed.has(id)).toSorted();
  }, [documentIds, files, status]);
  const { data } = useQuery(goneQuery(missing));
  return data ?? none;
}

function goneQuery(missing: readonly string[]) {
  return queryOptions({
    queryKey: ['gone-documents', missing],
    queryFn: ({ signal }) => askGone(missing, signal),
    enabled: missing.length > 0,
    // What is gone stays gone while more are asked for.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.size === missing.length ? false : recheckIntervalMs),
    structuralSharing: false,
  });
}

async function askGone(missing: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (let from = 0; from < missing.length; from += maxAsked) {
    const documentIds = missing.slice(from, from + maxAsked);
    for (const id of (await call('getGoneDocuments', { documentIds }, { signal })).gone) gone.add(id);
  }
  return gone;
}
