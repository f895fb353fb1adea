import type { MouseEvent } from 'react';
import styles from './SkipLink.module.css';

/**
 * The first stop of the Tab key on a page: past what is the same on all of them, to what this one is for; seen only
 * while it has the focus. It leads to the element of the id `to`, and where that is a question that waits, to
 * `content`.
 */
export function SkipLink({ to = 'content' }: { to?: 'content' | 'question' | undefined }) {
  // Not left to the browser, which would put it into the address and the history, and tell the router.
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(to)?.focus();
    // A question that waits for its answer cannot be written into.
    if (document.activeElement === event.currentTarget) focusContent();
  };
  return (
    <a className={styles.skip} href={`#${to}`} onClick={skip}>
      {to === 'question' ? 'Skip to the question' : 'Skip to the content'}
    </a>
  );
}

/**
 * It takes the focus for this once: a press of the mouse beside a control would give it to the whole page otherwise.
 */
function focusContent(): void {
  const content = document.getElementById('content');
  if (!content) return;
  content.tabIndex = -1;
  content.addEventListener('blur', () => content.removeAttribute('tabindex'), { once: true });
  content.focus();
}
