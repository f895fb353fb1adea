import { useMediaQuery } from '@mantine/hooks';
import breakpoints from './breakpoints.module.css';

/** Whether the window is on this side of a breakpoint of `breakpoints.module.css`, as it changes. */
export function useBreakpoint(name: 'oneColumn' | 'roomForDocument'): boolean {
  // Known at the first drawing: nothing jumps from one layout to the other.
  return useMediaQuery(breakpoints[name] ?? 'not all', undefined, { getInitialValueInEffect: false });
}
