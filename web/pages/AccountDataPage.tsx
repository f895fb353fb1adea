import { useSession } from '#web/api/session.ts';
import styles from '#web/features/account/Account.module.css';
import { AppHeader } from '#web/features/chat/AppHeader.tsx';
import { ExportPanel } from '#web/features/exports/ExportPanel.tsx';
import { useTitle } from '#web/lib/title.ts';

/** A person's own data, to take along. */
export function AccountDataPage() {
  useTitle('Your data');
  const session = useSession();
  if (session.state !== 'signed-in') return null;
  return (
    <div className={styles.page}>
      <AppHeader />
      <main className={styles.main}>
        <h1>Your data</h1>
        <p className={styles.sub}>{session.session.user.email}</p>
        <p>
          A zip file with your account, your questions with their answers, citations and your ratings, where you are
          signed in, and what the audit log says that you did.
        </p>
        <ExportPanel of="own" />
      </main>
    </div>
  );
}
