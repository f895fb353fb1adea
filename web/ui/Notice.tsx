import type { ReactNode } from 'react';
import styles from './Notice.module.css';

export interface NoticeProps {
  /** A problem interrupts a screen reader, anything else waits for its turn. */
  kind: 'problem' | 'done' | 'info';
  title?: string;
  children: ReactNode;
  action?: { label: string; run: () => void };
}

/** A message that stays on the page beside what it is about. */
export function Notice({ kind, title, children, action }: NoticeProps) {
  return (
    <div className={styles.notice} data-kind={kind} role={kind === 'problem' ? 'alert' : 'status'}>
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        <div>{children}</div>
      </div>
      {action && (
        <button type="button" className={styles.action} onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
