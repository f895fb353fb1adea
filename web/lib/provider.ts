import { leaveFor, sameOriginPath } from './location.ts';

const fromKey = 'footnote.single-sign-on.from';
const saidKey = 'footnote.single-sign-on.said';

/** Goes to a company's provider. @param from where to be afterwards */
export function leaveForProvider(
  url: string,
  from = window.location.pathname + window.location.search,
): Promise<never> {
  sessionStorage.setItem(fromKey, from);
  return leaveFor(url, window.location.pathname);
}

/** Where the way to the provider began. */
export function cameToProviderFrom(): string {
  const from = sessionStorage.getItem(fromKey) ?? '/chat';
  sessionStorage.removeItem(fromKey);
  return sameOriginPath(from);
}

/** What came of it, for the page that it began on. */
export function sayOfProvider(said: { kind: 'done' | 'problem'; text: string }): void {
  sessionStorage.setItem(saidKey, JSON.stringify(said));
}

/** The same, read once. */
export function saidOfProvider(): { kind: 'done' | 'problem'; text: string } | null {
  const said: unknown = JSON.parse(sessionStorage.getItem(saidKey) ?? 'null');
  sessionStorage.removeItem(saidKey);
  if (!(said instanceof Object) || !('kind' in said) || !('text' in said) || typeof said.text !== 'string') return null;
  return { kind: said.kind === 'done' ? 'done' : 'problem', text: said.text };
}
