import type { ComponentProps, ReactNode } from 'react';
import styles from './RowActions.module.css';

export interface RowActionsProps {
  /** Not seen until the row is pointed at, or the focus is in it; by a finger, and in a card, seen always. */
  quiet?: boolean;
  children: ReactNode;
}

/** What can be done with a row of a table: its last cell. */
export function RowActions({ quiet = false, children }: RowActionsProps) {
  return (
    <div className={styles.actions} data-quiet={quiet || undefined}>
      {children}
    </div>
  );
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
