import { useEffect } from 'react';

/** What the operator calls the product: known before anything is asked for, since the page itself carries it. */
export function productName(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || 'Footnote';
}

/** Names the page in the browser's tab. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} · ${productName()}`;
  }, [page]);
}
