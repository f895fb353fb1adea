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

/** Forgets what this tab has kept, of anybody. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // A browser that refuses its store has kept nothing there.
  }
}

/** Keeps a value for the person until the session ends. @throws DOMException when the browser has no room */
export function keep(userId: string, value: unknown): void {
  sessionStorage.setItem(prefix + userId, JSON.stringify({ session: localStorage.getItem(sessionKey), value }));
}

/** What was kept for the person in the session that lasts; null when there is nothing, or what cannot be read. */
export function kept(userId: string): unknown {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + userId) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('session' in stored) || !('value' in stored)) return null;
    if (stored.session === localStorage.getItem(sessionKey)) return stored.value;
    sessionStorage.removeItem(prefix + userId);
    return null;
  } catch {
    return null;
  }
}
