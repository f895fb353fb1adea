import { type DataTag, QueryClient, type QueryKey } from '@tanstack/react-query';
import { onReconnect } from '#web/lib/connection.ts';
import { onSignOut } from './session.ts';

/** The cache of what calls have answered. `call` itself tries again, so nothing here does. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    // Without a network a person is told at once, rather than left to wait for it.
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What one person was shown must not greet the next one.
onSignOut(() => queryClient.clear());

// What could not be read while the server was away is read as soon as it is back, and its error goes by itself.
onReconnect(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }));

/**
 * Shows a change that the server has confirmed before it is read again. What was asked for before and is on its way
 * would tell of the time before the change, and put that back: it is asked for again.
 * @param change what is to be in the cache now, or what makes it of what is there, if anything is
 */
export async function showChanged<Data>(
  { queryKey }: { queryKey: DataTag<QueryKey, Data, Error> },
  change: Data | ((now: Data) => Data),
): Promise<void> {
  const which = { queryKey, exact: true };
  const wasOnItsWay = queryClient.isFetching(which) > 0;
  if (wasOnItsWay) await queryClient.cancelQueries(which);
  queryClient.setQueryData<Data>(queryKey as QueryKey, (now) => {
    if (!isUpdate(change)) return change;
    return now && change(now);
  });
  if (wasOnItsWay) void queryClient.invalidateQueries(which);
}

function isUpdate<Data>(change: Data | ((now: Data) => Data)): change is (now: Data) => Data {
  return typeof change === 'function';
}
