import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { AccountButton } from '#web/features/session/AccountButton.tsx';
import { logOut } from '#web/lib/log-out.ts';
import { personName } from '#web/lib/person-name.ts';
import { hiddenAt } from '#web/ui/VisuallyHidden.tsx';
import styles from './AppHeader.module.css';

/** The line above the chat and the documents: the brand, who is here, and the way out. */
export function AppHeader({ menu }: { menu?: ReactNode }) {
  const now = useSession();
  if (now.state !== 'signed-in') return <header className={styles.header} />;
  const { user, branding } = now.session;
  return (
    <header className={styles.header}>
      {menu}
      <Link to="/chat" className={styles.brand}>
        {branding.logoUrl ? (
          <img src={branding.logoUrl} alt={branding.name} />
        ) : (
          <>
            {branding.name}
            <sup aria-hidden="true">1</sup>
          </>
        )}
      </Link>
      <span className={styles.space} />
      {user.role === 'admin' && (
        <Link to="/admin" className={styles.link}>
          {messages.chat.admin}
        </Link>
      )}
      <AccountButton className={styles.account}>
        <Who user={user} compact />
      </AccountButton>
      <button type="button" className={styles.link} onClick={logOut}>
        {messages.admin.logout}
      </button>
    </header>
  );
}

type User = Session['user'];

/** The person's name, role and initials; `compact`: where a narrow window has room for the initials alone. */
export function Who({ user, compact = false }: { user: User; compact?: boolean }) {
  const hidden = compact ? hiddenAt('oneColumn') : '';
  return (
    <span className={styles.who}>
      <bdi className={`${styles.name} ${hidden}`}>{personName(user)}</bdi>
      <span className={`${styles.role} ${hidden}`}>{messages.chat[user.role]}</span>
      <span className={styles.avatar} aria-hidden="true">
        {initialsOf(personName(user))}
      </span>
    </span>
  );
}

/** `Mara Lindqvist` → `ML`, `mara.lindqvist@…` → `ML`, `東` → `東`. */
export function initialsOf(name: string): string {
  const words =
    name
      .split('@', 1)[0]
      ?.split(/[\s._-]+/u)
      .filter(Boolean) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return chosen
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}
