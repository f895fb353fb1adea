import { useLocation } from 'react-router';
import { useConnection } from '#web/lib/connection.ts';
import styles from './ConnectionNotice.module.css';
import { wordsEverywhere } from './words-everywhere.ts';

/** Says, once and over whatever page, that the server can't be reached; it goes by itself when it can. */
export function ConnectionNotice() {
  const connection = useConnection();
  const { pathname } = useLocation();
  return (
    // There before it has anything to say, so that a screen reader hears what it says.
    <div className={styles.place} data-message role="status" aria-label={wordsEverywhere.connection}>
      {connection !== 'up' && (
        <p className={styles.notice}>
          {connection === 'offline' ? wordsEverywhere.offline : wordsEverywhere.unreachable}
          {pathname === '/chat' && wordsEverywhere.questionKept}
        </p>
      )}
    </div>
  );
}
