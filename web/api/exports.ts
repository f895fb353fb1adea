import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { saveFrom } from '#web/lib/save-as.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

export type Exports = CallOutput<'listExports'>;
/** How far an export is: of the company's data, or of the person's own. */
export type ExportProgress = NonNullable<Exports['company']>;
export type ExportOf = 'company' | 'own';

const lookEveryMs = 1500;

/** Looked at again and again while one is being made. */
export const exportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: ({ signal }) => call('listExports', null, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.company?.state === 'running' || data?.own?.state === 'running' ? lookEveryMs : false,
});

export const startExport = mutationOptions({
  mutationFn: (of: ExportOf) => call(of === 'company' ? 'startExport' : 'startOwnExport', null),
  onSettled: () => queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey }),
});

/** Begins the download: the page stays where it is. */
export const downloadExport = mutationOptions({
  mutationFn: async (exportId: string) => {
    const { url } = await call('getExport', { exportId });
    // Taken back meanwhile, since a document was deleted: it is being made anew.
    if (url !== undefined) saveFrom(new URL(url).pathname);
  },
  onSettled: () => queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey }),
});
