import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFreshSession } from '#web/api/fresh-session.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { payingPath } from './paying.ts';

/** Tells admins that a payment is overdue, with the way to settle it, while everything still works. */
export function OverdueBanner({ session: { user, entitlements } }: { session: Session }) {
  if (entitlements.notice !== 'payment-overdue' || user.role !== 'admin') return null;
  return (
    <Notice kind="info" title="The last payment has failed">
      Everything still works for now. Please <Link to="/admin/settings/billing">settle the payment</Link> so that your
      team can go on asking.
    </Notice>
  );
}

interface InactiveNoticeProps {
  session: Session;
  /** What will be possible again: `Questions can be asked`. */
  what: string;
  /** The person goes to pay. */
  onLeave?: () => void;
}

/** In place of what the subscription does not allow: why, and the way to pay. Goes by itself once it is paid. */
export function InactiveNotice({ session: { user, subscription }, what, onLeave }: InactiveNoticeProps) {
  // Somebody else may pay meanwhile.
  useFreshSession(60_000);
  const overdue = payingPath(subscription.state) !== '/pricing';
  return (
    <Notice kind="info" title={overdue ? 'A payment is missing' : "Your company's subscription is not active"}>
      {what} again as soon as it is{overdue && ' settled'}.{' '}
      {user.role === 'admin' ? (
        <PlansLink onClick={onLeave}>{overdue ? 'Settle the payment' : 'Choose a plan'}</PlansLink>
      ) : (
        'Please ask your admin.'
      )}
    </Notice>
  );
}

/** The same for the admin's pages. */
export function InactiveBanner({ session: { subscription, entitlements } }: { session: Session }) {
  if (entitlements.notice !== 'subscription-inactive') return null;
  const overdue = payingPath(subscription.state) !== '/pricing';
  return (
    <Notice kind="problem" title={overdue ? 'A payment is missing' : 'Your subscription is not active'}>
      Asking, uploading and inviting are paused. Your documents and people stay as they are.{' '}
      <PlansLink>{overdue ? 'Settle the payment' : 'Choose a plan'}</PlansLink>
    </Notice>
  );
}

/** Leads to where the plan is chosen or changed. */
export function PlansLink({ onClick, children }: { onClick?: (() => void) | undefined; children: ReactNode }) {
  const session = useSession();
  const to = session.state === 'signed-in' ? payingPath(session.session.subscription.state) : '/pricing';
  return (
    <Link to={to} onClick={onClick}>
      {children}
    </Link>
  );
}
