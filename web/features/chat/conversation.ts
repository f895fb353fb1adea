import { useSyncExternalStore } from 'react';
import type { CallMessage } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { messages as texts } from '#contract/messages.ts';
import { messageOf, stream } from '#web/api/call.ts';
import { onSignOut } from '#web/api/session.ts';
import { historyOf, type Message, type Source } from './message.ts';
import { rememberQuery } from './recent-queries.ts';

export interface Conversation {
  messages: readonly Message[];
  /** The answer on its way: what has come of it. */
  pending: { id: string; text: string; sources: readonly Source[] } | null;
  /** What went wrong last. */
  problem: string | null;
}

const empty: Conversation = { messages: [], pending: null, problem: null };

let owner: string | null = null;
let current = empty;
let asking: AbortController | null = null;
const listeners = new Set<() => void>();

/** The person's conversation in this tab. It goes on while another screen is looked at. */
export function useConversation(userId: string): Conversation {
  if (owner !== userId) open(userId);
  return useSyncExternalStore(subscribe, () => current);
}

/** Asks, unless there is nothing to ask or an answer is on its way. */
export async function ask(userId: string, text: string): Promise<void> {
  const question = text.trim();
  if (question === '' || current.pending) return;
  const history = historyOf(current.messages, question);
  const mine = new AbortController();
  asking = mine;
  rememberQuery(userId, question);
  change({
    messages: [...current.messages, message('user', question)],
    pending: { id: crypto.randomUUID(), text: '', sources: [] },
    problem: null,
  });
  try {
    const result = await stream('query', { history }, { signal: mine.signal, onMessage: (each) => hear(mine, each) });
    if (asking !== mine) return;
    // What comes over the wire may lack what its type promises.
    if (typeof result?.answer !== 'string') throw new AppError('internal', { message: texts.chat.invalidResponse });
    answer(result.answer, { sources: result.sources ?? [], ...(result.closest ? { closest: result.closest } : {}) });
  } catch (error) {
    if (asking === mine) fail(error);
  }
}

/** Stops the answer on its way; what has come of it stays. */
export function stop(): void {
  asking?.abort();
}

/** Forgets the conversation. */
export function newChat(): void {
  end();
  change(empty);
}

function hear(mine: AbortController, heard: CallMessage<'query'>): void {
  if (asking !== mine || !current.pending) return;
  const { pending } = current;
  if (heard.type === 'token') change({ ...current, pending: { ...pending, text: pending.text + heard.text } });
  if (heard.type === 'citation')
    change({ ...current, pending: { ...pending, sources: [...pending.sources, heard.source] } });
}

function fail(error: unknown): void {
  if (error instanceof AppError && error.code === 'cancelled') {
    const { text = '', sources = [] } = current.pending ?? {};
    answer(text, { sources: [...sources], stopped: true });
    return;
  }
  const isInvalid = error instanceof AppError && error.message === texts.chat.invalidResponse;
  const problem = isInvalid ? error.message : messageOf(error, texts.chat.failed);
  answer(texts.chat.errorPrefix + problem, { failed: true });
  change({ ...current, problem });
}

function answer(text: string, extra: Partial<Message>): void {
  asking = null;
  change({
    messages: [
      ...current.messages,
      message('ai', text, { ...(current.pending ? { id: current.pending.id } : {}), ...extra }),
    ],
    pending: null,
    problem: null,
  });
}

function message(type: Message['type'], text: string, extra: Partial<Message> = {}): Message {
  return { id: crypto.randomUUID(), type, text, timestamp: new Date().toISOString(), sources: [], ...extra };
}

function end(): void {
  const ended = asking;
  asking = null;
  ended?.abort();
}

function open(userId: string): void {
  end();
  owner = userId;
  current = { ...empty, messages: stored(userId) };
}

function change(next: Conversation): void {
  const kept = next.messages !== current.messages;
  current = next;
  if (kept) store();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const prefix = 'footnote.chat.';

/** The tab's own store, so that a reload loses nothing and another tab has its own conversation. */
function store(): void {
  if (owner === null) return;
  try {
    sessionStorage.setItem(prefix + owner, JSON.stringify(current.messages));
  } catch (error) {
    console.warn('The conversation will not survive a reload: this browser has no room.', error);
  }
}

function stored(userId: string): Message[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(prefix + userId) ?? '[]');
    return Array.isArray(list) ? list.filter(isMessage) : [];
  } catch {
    return [];
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

onSignOut(() => {
  end();
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
  owner = null;
  current = empty;
  for (const listener of listeners) listener();
});
