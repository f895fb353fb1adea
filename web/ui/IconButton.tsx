import type { ComponentProps, ReactNode } from 'react';
import styles from './IconButton.module.css';

export interface IconButtonProps extends Pick<ComponentProps<'button'>, 'onClick' | 'aria-expanded' | 'disabled'> {
  /** Its name for those who hear the page. */
  label: string;
  /** Of its sides, in CSS pixels. */
  size?: 28 | 32 | 34 | 36;
  /** There is nothing to do now. It keeps the focus. */
  off?: boolean;
  /** The icon. */
  children: ReactNode;
}

/** A button that is a picture. */
export function IconButton({ label, size = 28, off = false, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      data-size={size}
      aria-label={label}
      aria-disabled={off || undefined}
      onClick={off ? undefined : onClick}
      {...rest}
    />
  );
}
