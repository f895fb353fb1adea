import { partsOf } from './pages/parts.ts';

/**
 * Brings what lies behind the sign-in. Called early by the sign-in form, so that it is there when the server says yes.
 */
export const loadApp = () => import('./App.tsx');

/**
 * Brings the page of an address beside the app, which would ask for it only once it is there itself. What does not come
 * is asked for again, and told, where the page is drawn: this never rejects.
 * @param path of a page behind the sign-in
 */
export async function loadPageEarly(path: string): Promise<void> {
  await Promise.allSettled(partsOf(path).map((part) => part.load()));
}
