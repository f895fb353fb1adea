import { graceDays } from '#contract/entitlements.ts';
import type { Mail } from '#server/features/mail/render.ts';
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

/** The mail of a notice. Days are those of UTC, as on the invoices. */
export function noticeMail(
  { kind, at }: Notice,
  { to, name, publicUrl }: { to: string; name: string; publicUrl: string },
): Mail {
  const day = dayName(at);
  const settings = `${publicUrl}/admin/settings`;
  const pay = { label: 'Settle the payment', url: settings };
  switch (kind) {
    case 'payment-failed':
      return {
        to,
        subject: `A payment for ${name} failed`,
        heading: 'A payment failed',
        paragraphs: [
          'Your subscription could not be renewed, because the payment was refused.',
          `Everything works until ${day}. Please pay the open invoice or change the card before then.`,
        ],
        action: pay,
      };
    case 'grace-ends-soon':
      return {
        to,
        subject: `${name} stops on ${day}: a payment is missing`,
        heading: 'A payment is still missing',
        paragraphs: [
          `From ${day} on nobody in your company can ask questions, upload or invite, until the open invoice is paid.`,
          'Your documents stay, and can be read.',
        ],
        action: pay,
      };
    case 'access-stopped':
      return {
        to,
        subject: `${name} has stopped: a payment is missing`,
        heading: 'A payment is missing',
        paragraphs: [
          'Asking, uploading and inviting are switched off for your company, because an invoice was not paid.',
          'Nothing is deleted. With the payment everything works again at once.',
        ],
        action: pay,
      };
    case 'ends':
      return {
        to,
        subject: `Your subscription to ${name} ends on ${day}`,
        heading: 'Your subscription will end',
        paragraphs: [`It has been canceled, and ends on ${day}. Everything works until then.`],
        action: { label: 'Keep the subscription', url: settings },
      };
    case 'ended':
      return {
        to,
        subject: `Your subscription to ${name} has ended`,
        heading: 'Your subscription has ended',
        paragraphs: [
          `What was paid for lasts until ${day}. After that nobody in your company can ask questions, upload or invite.`,
          'Your documents stay: they can be read, downloaded and deleted.',
        ],
        action: { label: 'Choose a plan', url: `${publicUrl}/pricing` },
      };
  }
}

function dayName(at: Date): string {
  return at.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
