import { useTitle } from '#web/lib/title.ts';
import control from '#web/ui/control.module.css';
import styles from './Message.module.css';
import { words } from './words.ts';

/** An address that leads nowhere. */
export function NotFoundPage() {
  useTitle(words.notFound);
  return (
    <main className={styles.page}>
      <h1>{words.pageNotFound}</h1>
      <p>{words.mistyped}</p>
      <a className={`${control.filled} ${styles.button}`} href="/chat">
        {words.goToChat}
      </a>
    </main>
  );
}
