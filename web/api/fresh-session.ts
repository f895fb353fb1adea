import { useEffect } from 'react';
import { reloadSession } from './session.ts';

/**
 * Reads the session again whenever the person comes back to the window, and where `intervalMs` is given also every so
 * often while the page can be seen: what it says may change on another page or machine.
 */
export function useFreshSession(intervalMs?: number): void {
  useEffect(() => {
    const look = () => {
      reloadSession().catch(() => {});
    };
    const lookWhenSeen = () => {
      if (!document.hidden) look();
    };
    const timer = intervalMs === undefined ? undefined : setInterval(lookWhenSeen, intervalMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, [intervalMs]);
}
