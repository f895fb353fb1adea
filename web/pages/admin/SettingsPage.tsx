import { Link } from 'react-router';
import { useSession } from '#web/api/session.ts';
import { PlanAndBilling } from '#web/features/billing/PlanAndBilling.tsx';
import { useTitle } from '#web/lib/title.ts';
import styles from './Admin.module.css';

/** What an admin decides for the whole company. */
export function SettingsPage() {
  const now = useSession();
  useTitle('Settings');
  if (now.state !== 'signed-in') return null;
  return (
    <>
      <h1 className={styles.heading}>Settings</h1>
      <p className={styles.sub}>{now.session.company.name}</p>
      <p className={styles.sub}>
        <Link to="/admin/chat-agent">Chat agent</Link>
      </p>
      <PlanAndBilling salesEmail={now.session.branding.salesEmail} />
    </>
  );
}
