import { QueryClient } from '@tanstack/react-query';
import { onSignOut } from './session.ts';

/** The cache of what calls have answered. `call` itself tries again, so nothing here does. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

// What one person was shown must not greet the next one.
onSignOut(() => queryClient.clear());
