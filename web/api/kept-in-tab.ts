import { randomKey } from '#web/lib/random-key.ts';

/**
 * What this tab keeps of a person's work, so that a reload loses nothing. It ends with their session. It is forgotten
 * here and not where it is kept, since a page that never loaded that part is signed out of as well.
 */
const prefix = 'footnote.chat.';

/** There as long as a session lasts, another for each: by it a tab that was elsewhere sees that its own has ended. */
const sessionKey = 'footnote.signed-in';

/** Whether a session of this browser is known, on whichever tab it began. */
export function hasSession(): boolean {
  return localStorage.getItem(sessionKey) !== null;
}

/** From now on what tabs keep belongs to a session of its own. */
export function beginSession(): void {
  localStorage.setItem(sessionKey, randomKey());
}

/** The session is over: whatever a tab has kept of it is worth nothing any more. */
export function endSession(): void {
  localStorage.removeItem(sessionKey);
}

/** Whether this tab keeps a conversation of somebody's, as far as can be said before it is known who is there. */
export function keepsConversation(): boolean {
  try {
    return Object.entries(sessionStorage).some(
      ([key, value]) => key.startsWith(`${prefix}conversation.`) && !/"value":\[\]/.test(String(value)),
    );
  } catch {
    return false;
  }
}

/** Forgets what this tab has kept, of anybody. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // A browser that refuses its store has kept nothing there.
  }
}

/**
 * What is kept: the conversation, where its answers are looked for, those before it, the question that is being
 * written, and that which was sent last.
 */
export type Kept = 'conversation' | 'filters' | 'earlier' | 'draft' | 'try';

/** Keeps a value for the person until the session ends. @throws DOMException when the browser has no room */
export function keep(what: Kept, userId: string, value: unknown): void {
  sessionStorage.setItem(keyOf(what, userId), JSON.stringify({ session: localStorage.getItem(sessionKey), value }));
}

/** What was kept for the person in the session that lasts; null when there is nothing, or what cannot be read. */
export function kept(what: Kept, userId: string): unknown {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(what, userId)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('session' in stored) || !('value' in stored)) return null;
    if (stored.session === localStorage.getItem(sessionKey)) return stored.value;
    sessionStorage.removeItem(keyOf(what, userId));
    return null;
  } catch {
    return null;
  }
}

function keyOf(what: Kept, userId: string): string {
  return `${prefix}${what}.${userId}`;
}
