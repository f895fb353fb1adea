import type { ReactNode } from 'react';
import { LockIcon } from './icons.tsx';
import styles from './Locked.module.css';

/** Says what the company's plan does not have, and from which one on it is there. */
export function Locked({
  id,
  isLast = false,
  children,
}: {
  id?: string | undefined;
  isLast?: boolean;
  children: ReactNode;
}) {
  return (
    <p id={id} className={styles.locked} data-last={isLast}>
      <LockIcon /> {children}
    </p>
  );
}
