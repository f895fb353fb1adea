import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import breakpoints from './breakpoints.module.css';

/** Whether the window is on this side of a breakpoint of `breakpoints.module.css`, as it changes. */
export function useBreakpoint(name: 'oneColumn' | 'tightMargins' | 'roomForDocument' | 'roomForAll'): boolean {
  // Known at the first drawing: nothing jumps from one layout to the other.
  return useMediaQuery(breakpoints[name] ?? 'not all', undefined, { getInitialValueInEffect: false });
}

/** The window's width in CSS pixels, as it changes. */
export function useWindowWidth(): number {
  return useSyncExternalStore(onResize, () => window.innerWidth);
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}
