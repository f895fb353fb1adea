/**
 * Runs before the page's own code is there, which is a hundred times as large: who is signed in, and the parts that the
 * address needs, are asked for meanwhile.
 */
import { knownSession } from './api/session.ts';
import { loadPageEarly } from './app-loader.ts';
import { isPublicPath } from './lib/location.ts';
import { loadGreeting, opensWithGreeting } from './opening.ts';

const { pathname } = window.location;
if (!isPublicPath(pathname)) {
  void knownSession();
  // What does not come is asked for again, and told, where it is drawn.
  if (opensWithGreeting) loadGreeting().catch(() => {});
  else void loadPageEarly(pathname);
}
