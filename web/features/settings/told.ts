import { AppError } from '#contract/errors.ts';
import { messageOf } from '#web/api/call.ts';
import { words } from './words.ts';

/** What went wrong; nothing where the person would rather not confirm the password. */
export function told(error: Error | null): string | undefined {
  if (!error || (error instanceof AppError && error.code === 'cancelled')) return undefined;
  return messageOf(error, words.notSaved);
}
