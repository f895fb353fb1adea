import { infiniteQueryOptions, keepPreviousData, mutationOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';

export type AuditEvent = CallOutput<'getAuditLog'>['events'][number];
/** What is wanted of the log. */
export type AuditWanted = Omit<CallInput<'getAuditLog'>, 'cursor'>;

/** Who did what, newest first, as far as one has read on. That of before stays while the next is on its way. */
export function auditQuery(wanted: AuditWanted) {
  return infiniteQueryOptions({
    queryKey: ['audit', wanted],
    queryFn: ({ signal, pageParam }) =>
      call('getAuditLog', { ...wanted, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** A link to the same events as a file, which the browser saves. */
export const exportAudit = mutationOptions({
  mutationFn: (input: CallInput<'exportAuditLog'>) => call('exportAuditLog', input),
});
