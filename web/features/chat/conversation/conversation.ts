import type { CallMessage } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { messages as texts } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { noteAgentVersion, onSignOut } from '#web/api/session.ts';
import { stream } from '#web/api/stream.ts';
import { settledIn } from '#web/features/chat/answer/answer-text.ts';
import { type Filters, noFilters, wireFilters } from '#web/features/chat/filters/filters.ts';
import { storedFilters, storeFilters } from '#web/features/chat/filters/stored-filters.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { connectionNow } from '#web/lib/connection.ts';
import { randomKey } from '#web/lib/random-key.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { type EarlierChat, storeChats, storedChats, withChat } from './earlier-chats.ts';
import { factsOf, historyOf, type Message } from './message.ts';
import { grown, nothingYet, type Pending } from './pending.ts';
import { rememberQuery } from './recent-queries.ts';
import { storedMessages, storeMessages } from './stored-messages.ts';
import { endTry, keyOfTry } from './try-key.ts';
import { keepQuestion } from './unsent-question.ts';

export interface Conversation {
  messages: readonly Message[];
  /** The answer on its way: what has come of it. */
  pending: Pending | null;
  /** What went wrong last. */
  problem: string | null;
  /** Where answers are looked for. */
  filters: Filters;
  /** Those of this tab that were begun before, newest first. */
  earlier: readonly EarlierChat[];
  /** Grows with each that is begun or gone back to. */
  begun: number;
}

const lost = chatTexts.lost;

const empty: Conversation = { messages: [], pending: null, problem: null, filters: noFilters, earlier: [], begun: 0 };

let owner: string | null = null;
const current = createStore(empty);
let asking: AbortController | null = null;
/** The answer on its way with all that was heard, and as it was when what belongs together had come. */
let growing: Pending | null = null;
let whole: Pending | null = null;
let isDrawing = false;

/** The person's conversation in this tab. It goes on while another screen is looked at. */
export function useConversation(userId: string): Conversation {
  if (owner !== userId) open(userId);
  return useStore(current);
}

/**
 * Asks, unless there is nothing to ask or an answer is on its way. While the server can't be reached the question is
 * kept where questions are written: a notice says so.
 */
export async function ask(userId: string, text: string): Promise<void> {
  const question = text.trim();
  if (question === '' || current.value.pending) return;
  if (connectionNow() !== 'up') return keepQuestion(userId, text);
  // Asked before the conversation was shown.
  if (owner !== userId) open(userId);
  rememberQuery(userId, question);
  await send(current.value.messages, message('user', question), []);
}

/**
 * Asks the last question once more, `alone` without what was asked before. The new answer takes the place of the old
 * one, which stays when there is no new one, or while the server can't be reached.
 */
export async function askAgain({ alone = false } = {}): Promise<void> {
  const place = current.value.messages.findLastIndex(({ type }) => type === 'user');
  const question = current.value.messages[place];
  if (!question || current.value.pending || connectionNow() !== 'up') return;
  const asked: Message = alone ? { ...question, alone } : question;
  await send(current.value.messages.slice(0, place), asked, current.value.messages.slice(place + 1));
}

/** Stops the answer on its way; what has come of it stays. */
export function stop(): void {
  asking?.abort();
}

/** Begins another conversation. @returns the id under which `openEarlier` goes back to the one before */
export function newChat(): string | undefined {
  end();
  const { earlier, begun } = current.value;
  const next = withChat(earlier, current.value);
  change({ ...empty, earlier: next, begun: begun + 1 });
  return next[0]?.id;
}

/** Goes back to an earlier conversation; the one that it takes the place of becomes an earlier one. */
export function openEarlier(id: string): void {
  const { earlier, begun } = current.value;
  const chosen = earlier.find((chat) => chat.id === id);
  if (!chosen) return;
  end();
  const { messages, filters } = chosen;
  const others = earlier.filter((chat) => chat !== chosen);
  change({ ...empty, messages, filters, earlier: withChat(others, current.value), begun: begun + 1 });
}

export function setFilters(filters: Filters): void {
  change({ ...current.value, filters });
}

/** Notes how an answer was rated; null takes it back. */
export function noteRating(id: string, rating: Message['rating'] | null): void {
  const messages = current.value.messages.map(({ rating: before, ...each }) => {
    const next = each.id === id ? rating : before;
    return next ? { ...each, rating: next } : each;
  });
  change({ ...current.value, messages });
}

/** @param replaced what stood below the question until it was asked again */
async function send(before: readonly Message[], question: Message, replaced: readonly Message[]): Promise<void> {
  const mine = new AbortController();
  const asker = owner ?? '';
  asking = mine;
  const messages = [...before, question];
  change({ ...current.value, messages, pending: nothingYet(), problem: null });
  // A reload before there is a new answer goes back to the old one.
  if (replaced.length > 0) storeMessages(asker, [...messages, ...replaced]);
  try {
    const narrowed = wireFilters(current.value.filters);
    const input = { history: historyOf(question.alone ? [] : before, question.text), ...narrowed };
    const key = keyOfTry(asker, input);
    const result = await stream('query', input, { signal: mine.signal, key, onMessage: (each) => hear(mine, each) });
    if (asking !== mine) return;
    endTry(asker);
    // What comes over the wire may lack what its type promises.
    if (typeof result?.answer !== 'string') throw new AppError('internal', { message: texts.chat.invalidResponse });
    noteAgentVersion(result.agentVersion);
    answer(result.answer, { ...factsOf(result), ...(narrowed.filters ? { filtered: true } : {}) });
  } catch (error) {
    if (asking !== mine) return;
    // It will not come under this key.
    if (error instanceof AppError && error.code === 'answer-gone') endTry(asker);
    fail(
      error,
      replaced.filter(({ failed }) => !failed),
    );
  }
}

function hear(mine: AbortController, heard: CallMessage<'query'>): void {
  if (asking !== mine || !current.value.pending) return;
  growing = grown(growing?.id === current.value.pending.id ? growing : current.value.pending, heard);
  // Drawn between messages of a written answer, words would stand there twice, or a claim before it is marked.
  if (growing.isWritten && heard.type !== 'draft') return;
  whole = growing;
  if (isDrawing) return;
  isDrawing = true;
  const draw = document.hidden ? (then: () => void) => setTimeout(then) : requestAnimationFrame;
  draw(() => {
    isDrawing = false;
    if (whole && whole.id === current.value.pending?.id) change({ ...current.value, pending: whole });
  });
}

function fail(error: unknown, replaced: readonly Message[]): void {
  const last = whole && whole.id === current.value.pending?.id ? whole : current.value.pending;
  const { sources = [], unsupported = [], unchecked = [], isWritten = false, notice } = last ?? {};
  const come = last?.text ?? '';
  // A sentence that a model has begun is not checked.
  const text = isWritten ? come.slice(0, settledIn(come, [...unsupported, ...unchecked])).trimEnd() : come;
  const wasStopped = error instanceof AppError && error.code === 'cancelled';
  const facts = { sources: [...sources], unsupported: [...unsupported], unchecked: [...unchecked] };
  if (wasStopped && (text !== '' || replaced.length === 0)) {
    answer(text, { ...factsOf({ ...facts, notice }), stopped: true });
    return;
  }
  // What is checked stays.
  if (text !== '' && sources.length > 0) {
    answer(text, { ...factsOf({ ...facts, notice: lost }), lost: true });
    return;
  }
  // Better the answer that was there before than none.
  change({ ...current.value, messages: [...current.value.messages, ...replaced] });
  if (wasStopped) {
    asking = null;
    change({ ...current.value, pending: null });
    return;
  }
  const isInvalid = error instanceof AppError && error.message === texts.chat.invalidResponse;
  const problem = isInvalid ? error.message : messageOf(error, texts.chat.failed);
  answer(texts.chat.errorPrefix + problem, { failed: true });
  change({ ...current.value, problem });
}

function answer(text: string, extra: Partial<Message>): void {
  asking = null;
  change({
    ...current.value,
    messages: [
      ...current.value.messages,
      message('ai', text, { ...(current.value.pending ? { id: current.value.pending.id } : {}), ...extra }),
    ],
    pending: null,
    problem: null,
  });
}

function message(type: Message['type'], text: string, extra: Partial<Message> = {}): Message {
  return { id: randomKey(), type, text, timestamp: new Date().toISOString(), sources: [], ...extra };
}

function end(): void {
  const ended = asking;
  asking = null;
  ended?.abort();
}

function open(userId: string): void {
  end();
  owner = userId;
  const [messages, filters, earlier] = [storedMessages(userId), storedFilters(userId), storedChats(userId)];
  current.begin({ ...empty, messages, filters, earlier });
}

function change(next: Conversation): void {
  if (next.messages !== current.value.messages && owner !== null) storeMessages(owner, next.messages);
  if (next.filters !== current.value.filters && owner !== null) storeFilters(owner, next.filters);
  if (next.earlier !== current.value.earlier && owner !== null) storeChats(owner, next.earlier);
  current.set(next);
}

onSignOut(() => {
  end();
  owner = null;
  current.set(empty);
});
