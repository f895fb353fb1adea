import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { SubscriptionState } from '#contract/entitlements.ts';
import { useFreshSession } from '#web/api/fresh-session.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { notices } from './notices.ts';
import { hasBegun, missingTitle, payingPath } from './paying.ts';

/** Tells admins that a payment is overdue, with the way to settle it, while everything still works. */
export function OverdueBanner({ session: { user, entitlements } }: { session: Session }) {
  if (entitlements.notice !== 'payment-overdue' || user.role !== 'admin') return null;
  return (
    <Notice kind="info" title={notices.overdueTitle}>
      {notices.overdueBefore} <Link to="/admin/settings/billing">{notices.overdueLink}</Link> {notices.overdueAfter}
    </Notice>
  );
}

/**
 * What is paused is looked at again this often: somebody else may pay, and what was paid just now is told to us by the
 * provider a moment after the person is back.
 */
const lookEveryMs = 10_000;

interface InactiveNoticeProps {
  session: Session;
  /** What will be possible again: `Questions can be asked`. */
  what: string;
  /** The person goes to pay. */
  onLeave?: () => void;
}

/** In place of what the subscription does not allow: why, and the way to pay. Goes by itself once it is paid. */
export function InactiveNotice({ session: { user, subscription }, what, onLeave }: InactiveNoticeProps) {
  useFreshSession(lookEveryMs);
  const overdue = payingPath(subscription.state) !== '/pricing';
  return (
    <Notice kind="info" title={titleOf(subscription.state)}>
      {hasBegun(subscription.state) ? notices.again(what, overdue) : notices.withPlan(what)}{' '}
      {user.role === 'admin' ? (
        <PlansLink onClick={onLeave}>{overdue ? notices.settle : notices.choose}</PlansLink>
      ) : (
        notices.askAdmin
      )}
    </Notice>
  );
}

/** The same for the admin's pages. */
export function InactiveBanner({ session }: { session: Session }) {
  return session.entitlements.notice === 'subscription-inactive' ? <Paused session={session} /> : null;
}

function Paused({ session: { subscription } }: { session: Session }) {
  useFreshSession(lookEveryMs);
  const overdue = payingPath(subscription.state) !== '/pricing';
  return (
    <Notice kind={hasBegun(subscription.state) ? 'problem' : 'info'} title={titleOf(subscription.state)}>
      {hasBegun(subscription.state) ? notices.paused : notices.notBegun}{' '}
      <PlansLink>{overdue ? notices.settle : notices.choose}</PlansLink>
    </Notice>
  );
}

function titleOf(state: SubscriptionState): string {
  return hasBegun(state) ? missingTitle(state) : notices.choosePlan;
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
