import { useEffect } from 'react';
import { reloadSession } from './session.ts';

/**
 * Reads the session again whenever the person comes back to the window, and where `intervalMs` is given also every so
 * often: what it says may change on another page or machine.
 */
export function useFreshSession(intervalMs?: number): void {
  useEffect(() => {
    const look = () => {
      reloadSession().catch(() => {});
    };
    const timer = intervalMs === undefined ? undefined : setInterval(look, intervalMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, [intervalMs]);
}
