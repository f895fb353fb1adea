import { graceDays } from '#contract/entitlements.ts';
import type { CompanyMail } from '#server/features/mail/mail.ts';
import type { ProviderSubscription } from '#server/ports/payments/port.ts';

/** What admins are told of their subscription. */
export interface Notice {
  kind: 'payment-failed' | 'grace-ends-soon' | 'access-stopped' | 'ends' | 'ended';
  /** Differs for each occasion: what was mailed under a key is not mailed again. */
  key: string;
  /** What the mail is about: when access stops, or when the subscription ends. */
  at: Date;
}

const dayMs = 86_400_000;
/** Days before the end of the grace period on which a second mail goes out. */
const lastCallDays = 3;

/** What the state of a subscription gives reason to mail at a moment; null when all is well. */
export function noticeOf(subscription: ProviderSubscription | null, now: Date): Notice | null {
  if (!subscription) return null;
  const { id, state, overdueSince, endsAt, periodStart, paidUntil } = subscription;
  const of = (kind: Notice['kind'], at: Date): Notice => ({ kind, key: `${kind} ${id} ${at.toISOString()}`, at });
  switch (state) {
    case 'past_due': {
      const stops = new Date((overdueSince ?? now).getTime() + graceDays * dayMs);
      if (now >= stops) return of('access-stopped', stops);
      return of(now.getTime() >= stops.getTime() - lastCallDays * dayMs ? 'grace-ends-soon' : 'payment-failed', stops);
    }
    case 'unpaid':
    case 'paused':
      return of('access-stopped', periodStart);
    case 'canceled':
      return of('ended', paidUntil);
    case 'active':
    case 'trialing':
      return endsAt === null ? null : of('ends', endsAt);
    default:
      return null;
  }
}

/** The words of a notice's mail. Days are those of UTC, as on the invoices. */
export function noticeWords({ kind, at }: Notice, publicUrl: string): CompanyMail['words'] {
  const settings = `${publicUrl}/admin/settings/billing`;
  return (texts, name) => {
    const day = at.toLocaleDateString(texts.locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });
    const dated = { day, url: settings };
    switch (kind) {
      case 'payment-failed':
        return texts.paymentFailed(name, dated);
      case 'grace-ends-soon':
        return texts.graceEndsSoon(name, dated);
      case 'access-stopped':
        return texts.accessStopped(name, dated);
      case 'ends':
        return texts.subscriptionEnds(name, dated);
      case 'ended':
        return texts.subscriptionEnded(name, { day, url: `${publicUrl}/pricing` });
    }
  };
}
