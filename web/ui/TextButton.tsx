import type { ComponentProps } from 'react';
import styles from './TextButton.module.css';

export interface TextButtonProps extends Pick<ComponentProps<'button'>, 'onClick' | 'children'> {
  /** What the sentence is about. */
  strong?: boolean;
  /** Where a dialog that opens puts the focus. */
  'data-autofocus'?: boolean;
}

/** A button that is a part of a sentence. */
export function TextButton({ strong = false, ...rest }: TextButtonProps) {
  return <button type="button" className={styles.button} data-strong={strong || undefined} {...rest} />;
}
