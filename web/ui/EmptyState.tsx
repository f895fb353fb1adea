import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

export interface EmptyStateProps {
  /** Where it fills a part of the page by itself, with the same distance to all of its edges. */
  inset?: boolean;
  children: ReactNode;
}

/**
 * Stands where there is nothing to show yet: what is missing in one line, with the next step as a part of it, or that
 * it is still on its way. Mantine's stacks a picture, a title and buttons, which is more than a table needs.
 */
export function EmptyState({ inset = false, children }: EmptyStateProps) {
  return (
    <div className={styles.empty} data-inset={inset || undefined} role="status">
      {children}
    </div>
  );
}
