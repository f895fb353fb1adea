import { useTitle } from '#web/lib/title.ts';
import control from '#web/ui/control.module.css';
import styles from './Message.module.css';

/** An address that leads nowhere. */
export function NotFoundPage() {
  useTitle('Not found');
  return (
    <main className={styles.page}>
      <h1>Page not found</h1>
      <p>The address may be mistyped, or the page may have moved.</p>
      <a className={`${control.filled} ${styles.button}`} href="/chat">
        Go to the chat
      </a>
    </main>
  );
}
