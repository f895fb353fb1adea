import { type Billing, reloadBilling } from '#web/api/billing.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatMoney, periodTitles, planTitles } from '#web/lib/price.ts';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Billing.module.css';
import { graceEnd, words } from './words.ts';

/** What asks for the admin's attention: a payment that is missing, an end, a change to come. */
export function SubscriptionAlerts({ billing }: { billing: Billing }) {
  if (billing.billing === 'off' || billing.granted) return null;
  const { openInvoice, endsAt, scheduled, state } = billing;
  return (
    <div className={styles.alerts}>
      {(openInvoice || overdue.includes(state)) && <Missing billing={billing} />}
      {endsAt !== null && state !== 'canceled' && (
        <Notice kind="info" title={words.endsOn(formatDay(endsAt))}>
          {words.untilThen}
        </Notice>
      )}
      {scheduled && (
        <Notice kind="info" title={words.changesOn(formatDay(scheduled.at))}>
          {words.fromThenOn} {planTitles[scheduled.plan]}, {periodTitles[scheduled.period].toLowerCase()}.
        </Notice>
      )}
    </div>
  );
}

const overdue: readonly Billing['state'][] = ['past_due', 'unpaid', 'incomplete'];

function Missing({ billing }: { billing: Billing }) {
  const { openInvoice, card, state } = billing;
  const end = graceEnd(billing, new Date());
  return (
    <Notice kind="problem" title={overdue.includes(state) ? words.missing : words.invoiceOpen}>
      <p>
        {openInvoice && words.notCharged(formatMoney(openInvoice.amount, openInvoice.currency))}
        {end !== null && words.worksUntil(formatDay(end))}
        {card && words.changeCard}
      </p>
      {openInvoice && (
        <p className={styles.way}>
          {/* In a tab of its own: that page does not lead back. This one looks again when the person returns to it. */}
          <a href={openInvoice.url} target="_blank" rel="noreferrer" onClick={() => void reloadBilling()}>
            {words.payOpenInvoice}
          </a>
        </p>
      )}
    </Notice>
  );
}
