import type { ComponentProps } from 'react';
import styles from './TextButton.module.css';

export interface TextButtonProps extends Pick<ComponentProps<'button'>, 'onClick' | 'children' | 'aria-label'> {
  /** What the sentence is about. */
  strong?: boolean;
  /** Its name for those who hear the page, where its word alone does not say what it is about. */
  label?: string;
  /** Where a dialog that opens puts the focus. */
  'data-autofocus'?: boolean;
}

/** A button that is a part of a sentence. */
export function TextButton({ strong = false, label, ...rest }: TextButtonProps) {
  return (
    <button type="button" className={styles.button} data-strong={strong || undefined} aria-label={label} {...rest} />
  );
}
