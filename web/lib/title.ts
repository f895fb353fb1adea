import { useEffect } from 'react';

/** Names the page in the browser's tab; `brand` comes with the settings and may be white-labelled. */
export function useTitle(page: string, brand = 'Footnote'): void {
  useEffect(() => {
    document.title = `${page} · ${brand}`;
  }, [page, brand]);
}
