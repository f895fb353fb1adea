import { NavLink, Outlet } from 'react-router';
import { messages } from '#contract/messages.ts';
import { logOut } from '#web/lib/log-out.ts';
import styles from './Admin.module.css';

const texts = messages.admin;

/** The specified ones, and those of the other pages that have something to show. */
const links = [
  { to: '/admin/dashboard', label: texts.dashboard },
  { to: '/admin/team', label: 'Team' },
  { to: '/admin/analytics', label: texts.analytics },
  { to: '/chat', label: texts.chatAgent },
];

/** The admin area: where one may go on the left (on a phone: above), the page on the right. */
export function AdminLayout() {
  return (
    <div className={styles.layout}>
      <nav className={styles.sidebar} aria-label={texts.title}>
        <p className={styles.title}>{texts.title}</p>
        <ul>
          {links.map(({ to, label }) => (
            <li key={to}>
              <NavLink to={to}>{label}</NavLink>
            </li>
          ))}
        </ul>
        <button type="button" onClick={logOut}>
          {texts.logout}
        </button>
      </nav>
      <main className={styles.main}>
        <div className={styles.column}>
          <Outlet />
        </div>
      </main>
    </div>
  );
}
