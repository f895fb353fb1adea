import { keepsConversation } from './api/kept-in-tab.ts';
import { knownSession } from './api/session.ts';

/** Brings the greeting with the field for the question: what of the chat is drawn before its app is there. */
export const loadGreeting = () => import('./pages/ChatOpening.tsx');

/**
 * Whether the page was opened for a chat that begins: then the greeting comes first and the app after it. A
 * conversation that goes on is drawn by the app alone.
 */
export const opensWithGreeting = globalThis.window?.location.pathname === '/chat' && !keepsConversation();

/** Milliseconds after which the app no longer waits for the greeting: it is the one to tell why nothing comes. */
const greetingTimeoutMs = 2000;

/**
 * Resolves when the greeting has been painted, and never rejects: its bytes and its drawing are not to wait for others.
 */
export function afterGreeting(): Promise<unknown> {
  const painted = Promise.all([knownSession(), loadGreeting()]).then(nextPaint, () => {});
  return Promise.race([painted, new Promise((resolve) => setTimeout(resolve, greetingTimeoutMs))]);
}

function nextPaint(): Promise<void> {
  // A page in the background is not painted.
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
