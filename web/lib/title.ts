import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

/** The company's own name for the product; null: it has none, or nobody is signed in. */
const companyName = createStore<string | null>(null);

/** What the operator calls the product: known before anything is asked for, since the page itself carries it. */
export function productName(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || 'Footnote';
}

/** Has the company's name for the product stand in the tab; null: the operator's again. */
export function nameProduct(name: string | null): void {
  companyName.set(name);
}

/** Names the page in the browser's tab. */
export function useTitle(page: string): void {
  const name = useStore(companyName);
  useEffect(() => {
    document.title = `${page} · ${name ?? productName()}`;
  }, [page, name]);
}
