import { keep, kept } from '#web/api/kept-in-tab.ts';
import { randomKey } from '#web/lib/random-key.ts';

/**
 * The key under which a question is sent. Sent once more as it was, since no answer to it has come, it has the one from
 * before, also after a reload: the service may have stored an answer that was lost on its way.
 */
export function keyOfTry(userId: string, input: unknown): string {
  const asked = JSON.stringify(input);
  const before: Partial<Record<'asked' | 'key', unknown>> = Object(kept('try', userId));
  if (before.asked === asked && typeof before.key === 'string') return before.key;
  const key = randomKey();
  remember(userId, { asked, key });
  return key;
}

/** From now on the same question is another one: its answer has come, or will not. */
export function endTry(userId: string): void {
  remember(userId, null);
}

function remember(userId: string, value: { asked: string; key: string } | null): void {
  try {
    keep('try', userId, value);
  } catch {
    // Without room for it an answer that is lost on its way is made a second time.
  }
}
