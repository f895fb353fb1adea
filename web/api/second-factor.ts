import { AppError } from '#contract/errors.ts';
import { type SecondFactorMethod, secondFactorMethods } from '#contract/sign-in.ts';

/** What a sign-in asks for beside the password. */
export interface WantedFactor {
  methods: SecondFactorMethod[];
  /** For the browser, where a passkey is among them. */
  options: unknown;
}

/** What the server has asked for; null: the error says something else. */
export function wantedFactor(error: unknown): WantedFactor | null {
  if (!(error instanceof AppError) || error.code !== 'second-factor-required') return null;
  const { methods, options } = error.details;
  const named: unknown[] = Array.isArray(methods) ? methods : [];
  return { methods: secondFactorMethods.filter((method) => named.includes(method)), options };
}

/** What to say of a second factor that was refused; null: the error is about something else. */
export function refusedFactor(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'invalid-second-factor')
    return 'This was not accepted. A code works once, and for half a minute: please wait for the next one.';
  if (error.code !== 'too-many-requests') return null;
  const seconds = Number(error.details.retryAfterSeconds);
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `Too many tries. Please try again in ${minutes === 1 ? 'a minute' : `${minutes || 15} minutes`}.`;
}
