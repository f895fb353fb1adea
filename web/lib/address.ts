import { startTransition, useOptimistic } from 'react';
import { useSearchParams } from 'react-router';

/**
 * What the address says after its `?`, and how to change it. A change is seen at once: the router draws a new address
 * when there is time, and until then a second change would be made to the old one and lose the first.
 */
export function useAddress(): [
  search: URLSearchParams,
  change: (to: Record<string, string>, options?: { replace?: boolean }) => void,
] {
  const [search, setSearch] = useSearchParams();
  const [seen, see] = useOptimistic(search);
  return [
    seen,
    (to, options) =>
      startTransition(() => {
        see(new URLSearchParams(to));
        setSearch(to, options);
      }),
  ];
}
