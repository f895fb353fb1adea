import { useEffect } from 'react';
import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { reloadSession } from '#web/api/session.ts';
import { useTitle } from '#web/lib/title.ts';
import styles from './Message.module.css';

/** Where the payment provider leads back to. */
export function SuccessPage() {
  useTitle(messages.success.heading);
  useEffect(() => {
    // The subscription has just changed; what failed to load here is loaded by the next page.
    reloadSession().catch(() => {});
  }, []);
  return (
    <main className={styles.page}>
      <h1>{messages.success.heading}</h1>
      <p>{messages.success.text}</p>
      <Link className={styles.button} to="/chat">
        {messages.success.goToApp}
      </Link>
    </main>
  );
}
