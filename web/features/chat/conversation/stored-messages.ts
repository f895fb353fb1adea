import { keep, kept } from '#web/api/kept-in-tab.ts';
import type { Message } from './message.ts';

/** Keeps a person's conversation in the tab's own store: a reload loses nothing, and another tab has its own. */
export function storeMessages(userId: string, messages: readonly Message[]): void {
  try {
    keep('conversation', userId, messages);
  } catch (error) {
    console.warn('The conversation will not survive a reload: this browser has no room.', error);
  }
}

/** What a store of the browser holds may have been written by anybody: what is no message is left out. */
export function storedMessages(userId: string): Message[] {
  return readMessages(kept('conversation', userId));
}

/** The messages of a list that was kept; none where it is no list. */
export function readMessages(list: unknown): Message[] {
  return Array.isArray(list) ? list.filter(isMessage) : [];
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
