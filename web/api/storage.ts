import { keepPreviousData, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { useCompanyFiles } from './company-files.ts';

export type Storage = CallOutput<'getStorage'>;

/** How much the company stores: read again whenever a file has come or gone, and each minute. */
export function useStorage(): UseQueryResult<Storage> {
  const { files, status } = useCompanyFiles();
  const listed = files.reduce((sum, { size, version }) => sum + size * version, 0);
  return useQuery({ ...storageQuery(files.length, listed), enabled: status === 'ready' });
}

function storageQuery(files: number, bytes: number) {
  return queryOptions({
    queryKey: ['storage', files, bytes],
    queryFn: ({ signal }) => call('getStorage', null, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}
