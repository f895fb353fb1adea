import type { z } from 'zod';
import type { ApiKeyScope } from './api-keys.ts';
import type { AuditAction } from './audit.ts';
import type { Access } from './permissions.ts';
import type { Feature } from './plans.ts';

/** One call of the product: everything that server, browser, tests and API documents need to know of it. */
export interface Call<
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
  Message extends z.ZodType = z.ZodType,
> {
  /** One sentence for the API document. */
  summary: string;
  input: In;
  output: Out;
  /** The shape of a stream's messages; absent: the call can't be streamed. */
  message?: Message;
  access: Access;
  /**
   * The scope that an API key needs for it; null: closed to keys, as identity, keys, billing, and whatever asks for a
   * recent sign-in or makes what would outlive a key.
   */
  scope: ApiKeyScope | null;
  /** The feature of the plan it needs; null: always possible. */
  feature: Feature | null;
  /** Repeating it changes nothing: the browser may retry it. */
  idempotent: boolean;
  /** Takes an `Idempotency-Key`: sent again with the same one it answers what was stored, and does nothing more. */
  byKey?: boolean;
  /**
   * What the audit log tells of it, once for everything it was done to. Every call that changes something for others
   * has one.
   */
  audit?: AuditAction;
  /** Who may make it while the company ends, which closes it; absent: nobody who is signed in. */
  whileEnding?: 'member' | 'admin';
  /** Ends the caller's own sessions and answers a new one, so that it must not end with them itself. */
  endsOwnSessions?: boolean;
  /** Also for those who have yet to set up the second factor that their company asks for; all others are refused. */
  whileEnrolling?: boolean;
  /** Carries its answer a second time as `data` (the specification's POST functions read it there). */
  alsoAsData?: boolean;
}

/** Keeps the exact types of the schemas, so that client and handler are typed from this one definition. */
export function defineCall<In extends z.ZodType, Out extends z.ZodType, Message extends z.ZodType = z.ZodNever>(
  call: Call<In, Out, Message>,
): Call<In, Out, Message> {
  return call;
}
