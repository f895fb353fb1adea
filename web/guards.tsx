import { type ReactNode, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { restartSession, useSession } from './api/session.ts';
import { lazyPart } from './lib/lazy-part.ts';
import { navigate } from './lib/location.ts';
import { words } from './pages/words.ts';
import { Loading } from './ui/Loading.tsx';
import { Notice } from './ui/Notice.tsx';

// Seldom seen: the pages come without it.
const EndingPage = lazyPart(() => import('./features/company-end/EndingPage.tsx').then(({ EndingPage }) => EndingPage));
// Where a company asks for a second factor, and somebody has none yet.
const EnrolPage = lazyPart(() => import('./pages/EnrolPage.tsx').then(({ EnrolPage }) => EnrolPage));
// Where a company lets people in from some addresses alone, and somebody is elsewhere.
const OutsidePage = lazyPart(() => import('./pages/OutsidePage.tsx').then(({ OutsidePage }) => OutsidePage));

/** Lets the signed-in see the page, and sends everybody else to sign in. */
export function SignedIn() {
  return <Guard>{() => <Outlet />}</Guard>;
}

/** Lets admins see the page; members go to the chat. */
export function AdminsOnly() {
  return <Guard>{(role) => (role === 'admin' ? <Outlet /> : <Navigate to="/chat" replace />)}</Guard>;
}

/** Shows a public page, which lies outside of this router. */
export function LeaveApp({ to, from }: { to: string; from?: string }) {
  useEffect(
    () => navigate(to, from === undefined ? { replace: true } : { replace: true, state: { from } }),
    [to, from],
  );
  return <Loading />;
}

/**
 * Shows what lies behind the sign-in to who is signed in and may see it, and what stands in the way to everybody else.
 */
export function Guard({ children }: { children: (role: 'admin' | 'member') => ReactNode }) {
  const now = useSession();
  const { pathname, search, hash } = useLocation();
  if (now.state === 'signed-in') {
    if (now.session.user.mustEnrol) return <EnrolPage />;
    const { endsAt } = now.session.company;
    if (endsAt !== undefined) return <EndingPage session={now.session} endsAt={endsAt} />;
    return children(now.session.user.role);
  }
  if (now.state === 'signed-out') return <LeaveApp to="/login" from={pathname + search + hash} />;
  if (!now.problem) return <Loading />;
  if (now.problem.code === 'address-not-allowed') return <OutsidePage why={now.problem.message} />;
  return (
    <Notice kind="problem" title={words.notReached} action={{ label: words.tryAgain, run: restartSession }}>
      {now.problem.message}
    </Notice>
  );
}
