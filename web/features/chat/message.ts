import type { Passage, Source, UnsupportedClaim } from '#contract/calls/answers.ts';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { placeLabel } from '#web/lib/place.ts';

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
  /** Of an answer that has come as a whole: the name under which it can be rated. */
  queryId?: string;
  /** False: the documents do not answer the question. */
  answered?: boolean;
  /** Where no answer was found: what comes closest. */
  closest?: Passage[];
  /** Claims that no passage supports. */
  unsupported?: UnsupportedClaim[];
  /** How the answer was made, where that is worth telling. */
  notice?: string;
  /** Only some documents were searched, since filters were set. */
  filtered?: true;
  rating?: 'up' | 'down';
}

/** What is kept of a result beside its text; anything may be missing, since it came over the wire. */
export function factsOf(result: Partial<CallOutput<'query'>>): Partial<Message> {
  const { sources = [], queryId, answered, closest, unsupported, notice } = result;
  return {
    sources,
    ...(queryId === undefined ? {} : { queryId }),
    ...(answered === undefined ? {} : { answered }),
    ...(closest ? { closest } : {}),
    ...(unsupported ? { unsupported } : {}),
    ...(notice === undefined ? {} : { notice }),
  };
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

/** `Travel policy.pdf, page 3` */
export function placeOf({ name, page }: Pick<Source, 'name' | 'page'>): string {
  return page === undefined ? name : `${name}, ${placeLabel(name, page)}`;
}
