import type { HTMLAttributes } from 'react';
import styles from './VisuallyHidden.module.css';

export interface VisuallyHiddenProps extends Pick<HTMLAttributes<HTMLElement>, 'id' | 'role' | 'children'> {
  as?: 'span' | 'div' | 'bdi' | 'h1' | 'h2' | 'legend';
}

/** Words for those who hear the page. Not Mantine's, which the signed-out pages would have to load. */
export function VisuallyHidden({ as: Element = 'span', ...rest }: VisuallyHiddenProps) {
  return <Element className={styles.always} {...rest} />;
}

/** The class of an element that is out of sight where the window is this narrow, and still read aloud. */
export function hiddenAt(breakpoint: 'phoneWidth' | 'oneColumn' | 'tablesAsCards'): string {
  return classes[breakpoint] ?? '';
}

const classes = {
  phoneWidth: styles.atPhoneWidth,
  oneColumn: styles.atOneColumn,
  tablesAsCards: styles.atTablesAsCards,
};
