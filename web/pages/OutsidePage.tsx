import { messages } from '#contract/messages.ts';
import { restartSession } from '#web/api/session.ts';
import styles from '#web/features/account/Account.module.css';
import { logOut } from '#web/lib/log-out.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

/** All that those see who are at an address from which their company lets nobody in. */
export function OutsidePage({ why }: { why: string }) {
  useTitle(words.outsideTitle);
  return (
    <main className={styles.main}>
      <h1>{words.outside}</h1>
      <p className={styles.sub} role="alert">
        {why}
      </p>
      <p className={styles.actions}>
        <Button onClick={restartSession}>{words.tryAgain}</Button>
        <Button look="plain" onClick={logOut}>
          {messages.admin.logout}
        </Button>
      </p>
    </main>
  );
}
