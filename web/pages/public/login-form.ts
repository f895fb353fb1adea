import type { ReactNode } from 'react';
import { AppError } from '#contract/errors.ts';
import type { LoginMode } from './login-mode.ts';

/** A message of a form; `why` is added when the service, and not what was typed, is at fault. */
export interface FormMessage {
  kind: 'problem' | 'done' | 'info';
  text: string;
  why?: string | null;
}

/** What each of the three forms gets. */
export interface LoginFormProps {
  /** The e-mail goes along from one mode to the next. */
  email: string;
  onEmail: (email: string) => void;
  /** The message above the form, where there is one. */
  message: ReactNode;
  /** It tells of what is still under way. */
  waits: boolean;
  onMessage: (message: FormMessage | null) => void;
  /** A link that the person follows to another mode. */
  link: (mode: LoginMode, text: string) => ReactNode;
  /** Goes to another mode by itself, and says why there. */
  leave: (mode: LoginMode, message: FormMessage) => void;
}

/** An error as a form tells it: one that says nothing to a person counts as the service's. */
export function problemOf(thrown: unknown): AppError {
  return thrown instanceof AppError && thrown.code !== 'internal'
    ? thrown
    : new AppError('unavailable', { cause: thrown });
}

/** What to do when it was the service that failed; null when it was what was typed. */
export function whyOf({ code, message }: AppError): string | null {
  return [
    'unavailable',
    'too-many-requests',
    'deadline-exceeded',
    'company-ending',
    'single-sign-on-required',
    'address-not-allowed',
  ].includes(code)
    ? message
    : null;
}
