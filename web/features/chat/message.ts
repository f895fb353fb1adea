import type { Passage, Source } from '#contract/calls/answers.ts';
import type { CallInput } from '#contract/calls.ts';

export type { Passage, Source };

export interface Message {
  id: string;
  type: 'user' | 'ai';
  text: string;
  /** ISO 8601 */
  timestamp: string;
  /** Of an answer: what its numbers refer to. */
  sources: Source[];
  /** Set on what the assistant did not answer: an error's bubble. The history leaves it out. */
  failed?: true;
  /** The reader stopped it. */
  stopped?: true;
  /** Where no answer was found: what comes closest. */
  closest?: Passage[];
}

const remembered = 4;
/** Characters of one entry of the history. */
export const longestText = 8000;

type History = CallInput<'query'>['history'];

/** What the assistant is sent: the last 4 messages without errors, then the question. */
export function historyOf(messages: readonly Message[], question: string): History {
  const earlier = messages.filter(({ failed, text }) => !failed && text.trim() !== '').slice(-remembered);
  return [...earlier.map(({ type, text }) => entry(type, text)), entry('user', question)];
}

function entry(type: Message['type'], text: string): History[number] {
  return { role: type === 'user' ? 'user' : 'model', parts: [{ text: text.slice(0, longestText) }] };
}
