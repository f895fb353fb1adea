import type { CallMessage, CallName, CallOutput, calls, ParsedInput } from '#contract/calls.ts';
import type { Actor } from './actor.ts';

/** What a handler gets beside its parsed input. */
export interface CallContext<Name extends CallName> {
  /** Null only where the call is open to anyone and nobody is signed in. */
  actor: (typeof calls)[Name]['access'] extends 'anyone' ? Actor | null : Actor;
  /** By which the call can be sent again, where it takes one and one was sent. */
  idempotencyKey: string | undefined;
  /** Aborted when the caller leaves or the server's time for the call is over. */
  signal: AbortSignal;
  /**
   * Aborted when the service stops: a stream without an end of its own then ends, and its client asks another process.
   */
  leaving: AbortSignal;
  /** Sends a message of the stream; does nothing when the call was not made as a stream. */
  emit: (message: CallMessage<Name>) => void;
  /** For a stream that goes on. @throws AppError when the caller's session has ended, or its rights, since it began */
  recheck: () => Promise<void>;
  /** The caller's address, for rate limits. */
  ip: string;
  /** What the caller's browser or program says of itself: its `User-Agent`, any text. */
  agent: string | undefined;
  /** The host name that was asked, in small letters and without a port: whatever the caller says it is. */
  host: string;
  /** The refresh cookie, where one was sent. */
  refreshToken: string | undefined;
  /** Sets (null: clears) the refresh cookie of the reply. */
  setRefreshToken: (token: { value: string; expiresAt: Date } | null) => void;
  /** The mark of a browser that an account's owner has used before, where one was sent. */
  device: string | undefined;
  /** What this browser has begun with a company's own provider, where it has. */
  attempt: string | undefined;
  /** Keeps it in the browser; null: it has ended. */
  setAttempt: (attempt: { value: string; expiresAt: Date } | null) => void;
  /** The request of an app to be connected with which this browser has come, where it has. */
  appRequest: string | undefined;
  /** Sets the mark of the browser. */
  setDevice: (mark: { value: string; expiresAt: Date }) => void;
}

export type Handler<Name extends CallName> = (
  input: ParsedInput<Name>,
  context: CallContext<Name>,
) => Promise<CallOutput<Name>>;

/** One handler for each call of the contract; `app.ts` puts it together from the features. */
export type Handlers = { [Name in CallName]: Handler<Name> };
