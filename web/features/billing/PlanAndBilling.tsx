import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { type Billing, billingQuery } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import control from '#web/ui/control.module.css';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import styles from './Billing.module.css';
import { CancelSubscription } from './CancelSubscription.tsx';
import { Invoices } from './Invoices.tsx';
import { PlanChoice } from './PlanChoice.tsx';
import { PortalButton } from './PortalButton.tsx';
import { payingPath } from './paying.ts';
import { SubscriptionAlerts } from './SubscriptionAlerts.tsx';
import { cardText, nextChargeText, planText, presentPrice, priceText, stateText } from './words.ts';

/** The company's plan, what it costs and when, and everything that can be done about it. */
export function PlanAndBilling({ salesEmail }: { salesEmail: string | undefined }) {
  const { data, error, refetch } = useQuery(billingQuery);
  if (!data) {
    return (
      <Section heading={heading}>
        {error ? (
          <Notice kind="problem" action={{ label: 'Try again', run: () => void refetch() }}>
            {messageOf(error, 'Plan and billing could not be loaded.')}
          </Notice>
        ) : (
          <>
            <EmptyState>{messages.common.loading}</EmptyState>
            <SlowNotice waiting />
          </>
        )}
      </Section>
    );
  }
  const charged = data.billing === 'stripe' && !data.granted;
  const subscribed = charged && payingPath(data.state) !== '/pricing';
  return (
    <>
      <Section heading={heading}>
        <SubscriptionAlerts billing={data} />
        <Facts billing={data} />
        {charged && (
          <div className={styles.actions}>
            {!subscribed && (
              <Link className={`${control.filled} ${styles.choose}`} to="/pricing">
                Choose a plan
              </Link>
            )}
            {data.portal && <PortalButton>Open the billing portal</PortalButton>}
            {subscribed && <CancelSubscription billing={data} />}
          </div>
        )}
      </Section>
      {subscribed && <PlanChoice billing={data} salesEmail={salesEmail} />}
      {charged && <Invoices invoices={data.invoices} />}
    </>
  );
}

const heading = 'Plan and billing';

function Facts({ billing }: { billing: Billing }) {
  if (billing.billing === 'off') return <p className={styles.lead}>Payment is switched off: every feature is on.</p>;
  const price = presentPrice(billing);
  return (
    <dl className={styles.facts}>
      <dt>Plan</dt>
      <dd>
        {planText(billing)}
        {price && <span className={styles.aside}>{priceText(price)}</span>}
      </dd>
      <dt>State</dt>
      <dd>{stateText(billing)}</dd>
      {!billing.granted && (
        <>
          <dt>Next charge</dt>
          <dd>{nextChargeText(billing)}</dd>
          <dt>Card</dt>
          <dd>{billing.card ? cardText(billing.card) : 'None'}</dd>
        </>
      )}
      <dt>Seats</dt>
      <dd>
        {billing.seats === null
          ? `${billing.seatsUsed.toLocaleString()} used, unlimited`
          : `${billing.seatsUsed.toLocaleString()} of ${billing.seats.toLocaleString()} used`}
        <Link className={styles.aside} to="/admin/team">
          Team
        </Link>
      </dd>
    </dl>
  );
}
