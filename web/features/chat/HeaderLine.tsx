import type { ComponentType, ReactNode } from 'react';
import { messages } from '#contract/messages.ts';
import type { Session } from '#web/api/session.ts';
import { logOut } from '#web/lib/log-out.ts';
import { personName } from '#web/lib/person-name.ts';
import { SkipLink } from '#web/ui/SkipLink.tsx';
import { hiddenAt } from '#web/ui/VisuallyHidden.tsx';
import styles from './AppHeader.module.css';

export interface HeaderLineProps {
  session: Session;
  menu?: ReactNode;
  /** Where the first stop of the Tab key leads. */
  skipTo?: 'content' | 'question' | undefined;
  /** A link to a page of the app: of its router where there is one. */
  Anchor: ComponentType<{ to: string; className?: string | undefined; children: ReactNode }>;
  /** The button of a person's own account, which shows who they are. */
  Account: ComponentType<{ className?: string | undefined; children: ReactNode }>;
}

/** What stands in the header, drawn the same before the app is there and after it. */
export function HeaderLine({ session: { user, branding }, menu, skipTo, Anchor, Account }: HeaderLineProps) {
  return (
    <header className={styles.header} data-in-use>
      <SkipLink to={skipTo} />
      {menu}
      <Anchor to="/chat" className={styles.brand}>
        {branding.logoUrl ? (
          <img src={branding.logoUrl} alt={branding.name} />
        ) : (
          <>
            {branding.name}
            <sup aria-hidden="true">1</sup>
          </>
        )}
      </Anchor>
      <span className={styles.space} />
      {user.role === 'admin' && (
        <Anchor to="/admin" className={styles.link}>
          {messages.chat.admin}
        </Anchor>
      )}
      <Account className={styles.account}>
        <Who user={user} compact />
      </Account>
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
