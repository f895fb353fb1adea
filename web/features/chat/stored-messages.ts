import type { Message } from './message.ts';

const prefix = 'footnote.chat.';

/** Keeps a person's conversation in the tab's own store: a reload loses nothing, and another tab has its own. */
export function storeMessages(userId: string, messages: readonly Message[]): void {
  try {
    sessionStorage.setItem(prefix + userId, JSON.stringify(messages));
  } catch (error) {
    console.warn('The conversation will not survive a reload: this browser has no room.', error);
  }
}

/** What a store of the browser holds may have been written by anybody: what is no message is left out. */
export function storedMessages(userId: string): Message[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(prefix + userId) ?? '[]');
    return Array.isArray(list) ? list.filter(isMessage) : [];
  } catch {
    return [];
  }
}

/** Forgets every conversation of this tab. */
export function forgetMessages(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}

function isMessage(each: unknown): each is Message {
  return (
    typeof each === 'object' &&
    each !== null &&
    'id' in each &&
    'text' in each &&
    'sources' in each &&
    Array.isArray(each.sources)
  );
}
