import { type Kept, keep, kept } from '#web/api/kept-in-tab.ts';
import { type Filters, readFilters } from '#web/features/chat/filters/filters.ts';
import { randomKey } from '#web/lib/random-key.ts';
import type { Message } from './message.ts';
import { readMessages } from './stored-messages.ts';

/** A conversation of this tab that another has taken the place of. */
export interface EarlierChat {
  id: string;
  messages: readonly Message[];
  filters: Filters;
}

const maxChats = 10;
const what: Kept = 'earlier';

/** The list with the conversation at its head; one without a question is not worth keeping. */
export function withChat(chats: readonly EarlierChat[], chat: Omit<EarlierChat, 'id'>): readonly EarlierChat[] {
  return chat.messages.length === 0 ? chats : [{ ...chat, id: randomKey() }, ...chats].slice(0, maxChats);
}

/** What it is listed by: its first question. */
export function titleOf({ messages }: EarlierChat): string {
  return messages.find(({ type }) => type === 'user')?.text ?? '';
}

/** Newest first. What a store of the browser holds may have been written by anybody: what is no chat is left out. */
export function storedChats(userId: string): readonly EarlierChat[] {
  const list = kept(what, userId);
  if (!Array.isArray(list)) return [];
  return list.slice(0, maxChats).flatMap((each: unknown) => {
    const { messages: list, filters } = Object(each);
    const messages = readMessages(list);
    return messages.length === 0 ? [] : [{ id: randomKey(), messages, filters: readFilters(filters) }];
  });
}

export function storeChats(userId: string, chats: readonly EarlierChat[]): void {
  try {
    keep(what, userId, chats);
  } catch (error) {
    console.warn('Earlier chats will not survive a reload: this browser has no room.', error);
  }
}
