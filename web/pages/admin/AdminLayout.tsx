import { Suspense } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { messages } from '#contract/messages.ts';
import { useSession } from '#web/api/session.ts';
import { InactiveBanner, OverdueBanner } from '#web/features/billing/SubscriptionNotices.tsx';
import { AccountButton } from '#web/features/session/AccountButton.tsx';
import { ConfirmEmailBanner } from '#web/features/session/ConfirmEmailBanner.tsx';
import { logOut } from '#web/lib/log-out.ts';
import { PageBoundary } from '#web/pages/FailedPage.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { SkipLink } from '#web/ui/SkipLink.tsx';
import styles from './Admin.module.css';
import { adminWords } from './words.ts';

const texts = messages.admin;

/**
 * The specified ones, and those of the other pages that have something to show. Some lead on to a page of no link here.
 */
const links: readonly { to: string; label: string; leadsTo?: string }[] = [
  { to: '/admin/dashboard', label: texts.dashboard },
  { to: '/admin/documents', label: adminWords.documents, leadsTo: '/admin/collections' },
  { to: '/admin/team', label: adminWords.team },
  { to: '/admin/analytics', label: texts.analytics },
  { to: '/chat', label: texts.chatAgent },
  { to: '/admin/settings', label: adminWords.settings },
];

/** The admin area: where one may go on the left (on a phone: above), the page on the right. */
export function AdminLayout() {
  const { pathname } = useLocation();
  return (
    <div className={styles.layout}>
      <SkipLink />
      <nav className={styles.sidebar} aria-label={texts.title}>
        <p className={styles.title}>{texts.title}</p>
        <ul>
          {links.map(({ to, label, leadsTo }) => (
            <li key={to}>
              <Link to={to} aria-current={isWithin(pathname, to) || isWithin(pathname, leadsTo) ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <AccountButton>{adminWords.account}</AccountButton>
        <button type="button" data-leaves onClick={logOut}>
          {texts.logout}
        </button>
      </nav>
      <main id="content" className={styles.main}>
        <div className={styles.column}>
          <Banners />
          <PageBoundary path={pathname}>
            <Suspense fallback={<LoadingPart shape="page" />}>
              <Outlet />
            </Suspense>
          </PageBoundary>
        </div>
      </main>
    </div>
  );
}

function isWithin(pathname: string, page: string | undefined): boolean {
  return page !== undefined && (pathname === page || pathname.startsWith(`${page}/`));
}

/** What every page of an admin says of the subscription; the settings say it in full. */
function Banners() {
  const now = useSession();
  const { pathname } = useLocation();
  if (now.state !== 'signed-in' || pathname === '/admin/settings/billing') return null;
  return (
    <div className={styles.banners}>
      <ConfirmEmailBanner session={now.session} />
      <OverdueBanner session={now.session} />
      <InactiveBanner session={now.session} />
    </div>
  );
}
