import type { ModelCall } from './received.ts';

/** What a model does with one request. */
export interface Turn {
  /** The answer, in the pieces in which it is sent. */
  pieces: string[];
  /** Why it ends: done (the default), cut off at its largest length, declined. */
  end?: 'done' | 'length' | 'refused';
  /** Milliseconds before the first piece and between pieces. */
  pauseMs?: number;
  /** After all pieces: hang for ever, tear the connection down, send what is no event, or send an error as an event. */
  afterwards?: 'hang' | 'disconnect' | 'malformed' | { error: string };
  /** Counts no tokens. */
  uncounted?: boolean;
  /** Answers with this HTTP error, and nothing of the above. */
  failure?: { status: number; reason?: string; headers?: Record<string, string>; body?: string };
}

/** One turn for all requests, one for each (the last one goes on), or one made from the request. */
export type Script = Turn | Turn[] | ((call: ModelCall) => Turn);

/** A text in pieces of about a token each. */
export function says(text: string, more: Omit<Turn, 'pieces'> = {}): Turn {
  return { pieces: text.match(/\s*\S{1,4}|\s+$/g) ?? [], ...more };
}

/** The same text in pieces of `size` UTF-16 units each: markers, words and even letters are cut. */
export function splits(text: string, size: number): Turn {
  return {
    pieces: Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size)),
  };
}

/** A claim with a source that was never supplied. */
export const inventing = (claim: string): Turn => says(`${claim} [99]`);

/** A claim with these numbers behind it, right or wrong. */
export const citing = (claim: string, ...numbers: number[]): Turn =>
  says(`${claim} ${numbers.map((n) => `[${n}]`).join('')}`);

/** A model that is stuck in one sentence until its length is used up. */
export const repeating = (sentence: string, times = 50): Turn => says(`${sentence} `.repeat(times), { end: 'length' });

/** Cut off by its largest length, in the middle of the last word. */
export const stoppingMidWord = (text: string): Turn => says(text.slice(0, -2), { end: 'length' });

/** Does what a pattern finds anywhere in the prompt: its first group is said. Finds it nothing, says the other. */
export function obeying(instruction: RegExp, otherwise: Turn): Script {
  return ({ prompt }) => {
    const said = instruction.exec(prompt)?.[1];
    return said === undefined ? otherwise : says(said);
  };
}

/** Answers with an HTTP error. */
export function failing(status: number, more: { reason?: string; headers?: Record<string, string> } = {}): Turn {
  return { pieces: [], failure: { status, ...more } };
}
