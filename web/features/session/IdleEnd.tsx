import { useEffect } from 'react';
import { signOut, useSession } from '#web/api/session.ts';
import { watchIdle } from '#web/lib/idle.ts';
import { tellAtLogin } from '#web/lib/login-message.ts';
import { wordsEverywhere } from './words-everywhere.ts';

/** Signs out where nobody has touched the page for as long as the company allows. */
export function IdleEnd(): null {
  const now = useSession();
  const minutes = now.state === 'signed-in' ? now.session.company.sessionIdleMinutes : null;
  useEffect(() => {
    if (minutes === null) return;
    return watchIdle(minutes * 60_000, () => {
      tellAtLogin(wordsEverywhere.idle);
      void signOut();
    });
  }, [minutes]);
  return null;
}
