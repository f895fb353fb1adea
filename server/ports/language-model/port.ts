/** Writes text, token by token. Absent where none is configured: answers are then quotes alone. */
export interface LanguageModel {
  /** The implementation and the model, for `/readyz` and the record of usage. */
  readonly name: string;
  /** Tokens that question, passages and answer may have together. */
  readonly contextTokens: number;
  /**
   * Begins the request when the first event is asked for. Ends normally only when the model has said that it is done.
   * `signal` closes the connection, so that nothing more is computed or paid for; so does leaving the loop.
   * It tries again by itself, but never once a text has been given out: not repeatable, since each run may differ.
   * @throws ProviderFailure of every kind, also after some text; the signal's reason where it was aborted
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  /** What the model is to do; kept apart from what people and documents say. */
  system: string;
  /** Oldest first; the last one is the user's. Never two of the same role in a row. */
  messages: ModelMessage[];
  /** Tokens of the answer at most, from 1. */
  maxTokens: number;
}

export interface ModelMessage {
  role: 'user' | 'assistant';
  text: string;
}

export type ModelEvent =
  /**
   * The next piece of text, never empty; a word or a letter of several bytes may be split over two, a code point never.
   */
  | { type: 'text'; text: string }
  /** At most once, after the last text and before the end or the failure; absent where the service does not count. */
  | { type: 'usage'; usage: ModelUsage };

/** In tokens, as the service counts and charges them. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
}

/**
 * Reads statements beside the passages that are to support them. Absent where none is configured: words alone decide.
 */
export interface SecondReader {
  /** The implementation and the model, for `/readyz`. */
  readonly name: string;
  /**
   * What comes of each statement, in the same order. Safe to repeat. An empty list asks nobody.
   * @throws ProviderFailure; the signal's reason where it was aborted
   */
  judge(pairs: readonly JudgedPair[], signal: AbortSignal): Promise<Judged>;
}

export interface JudgedPair {
  /** A sentence, item or cell of an answer. */
  statement: string;
  /** Words of a document. */
  passage: string;
}

/** The passage says all of it, says otherwise, or it is not to be told. */
export type Judgement = 'supported' | 'contradicted' | 'open';

export interface Judged {
  judgements: Judgement[];
  /** Absent where the service does not count. */
  usage?: ModelUsage | undefined;
}
