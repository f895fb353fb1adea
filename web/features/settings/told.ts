import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { words } from './words.ts';

/** What went wrong; nothing where the person would rather not confirm the password. */
export function told(error: Error | null): string | undefined {
  if (!error || isCancelled(error)) return undefined;
  return messageOf(error, words.notSaved);
}
