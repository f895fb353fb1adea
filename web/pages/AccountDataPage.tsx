import { useSession } from '#web/api/session.ts';
import styles from '#web/features/account/Account.module.css';
import { words } from '#web/features/account/words.ts';
import { AppHeader } from '#web/features/chat/AppHeader.tsx';
import { ExportPanel } from '#web/features/exports/ExportPanel.tsx';
import { useTitle } from '#web/lib/title.ts';

/** A person's own data, to take along. */
export function AccountDataPage() {
  useTitle(words.yourData);
  const session = useSession();
  if (session.state !== 'signed-in') return null;
  return (
    <div className={styles.page}>
      <AppHeader />
      <main id="content" className={styles.main}>
        <h1>{words.yourData}</h1>
        <p className={styles.sub}>{session.session.user.email}</p>
        <p className={styles.lead}>{words.yourDataLead}</p>
        <ExportPanel of="own" />
      </main>
    </div>
  );
}
