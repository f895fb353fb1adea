import { QueryClient } from '@tanstack/react-query';
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
