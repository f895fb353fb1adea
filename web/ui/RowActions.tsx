import type { ComponentProps, ReactNode } from 'react';
import styles from './RowActions.module.css';

/** What can be done with a row of a table: its last cell. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

export interface RowActionProps extends Pick<ComponentProps<'button'>, 'title' | 'disabled' | 'onClick' | 'children'> {
  /** Names the row as well: "Delete Plan.pdf". */
  label: string;
  /** It destroys something. */
  danger?: boolean;
  /** It is being done: it keeps the focus, and a second press does nothing. */
  pending?: boolean;
}

/** A quiet button of a row. */
export function RowAction({ label, danger = false, pending = false, onClick, ...rest }: RowActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      data-danger={danger || undefined}
      aria-label={label}
      aria-disabled={pending || undefined}
      onClick={pending ? undefined : onClick}
      {...rest}
    />
  );
}
