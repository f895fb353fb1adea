import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { type Billing, billingQuery, pricesQuery } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import { planTitles } from '#web/lib/price.ts';
import control from '#web/ui/control.module.css';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Section } from '#web/ui/Section.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { SlowNotice } from '#web/ui/SlowNotice.tsx';
import styles from './Billing.module.css';
import { CancelSubscription } from './CancelSubscription.tsx';
import { Invoices } from './Invoices.tsx';
import { PlanChoice } from './PlanChoice.tsx';
import { PortalButton } from './PortalButton.tsx';
import { payingPath } from './paying.ts';
import { SubscriptionAlerts } from './SubscriptionAlerts.tsx';
import { cardText, nextChargeText, planText, presentPrice, priceText, stateText, words } from './words.ts';

/** The company's plan, what it costs and when, and everything that can be done about it. */
export function PlanAndBilling({ salesEmail }: { salesEmail: string | undefined }) {
  const { data, error, refetch } = useQuery(billingQuery);
  const { isFetched: hasPrices } = useQuery(pricesQuery);
  if (!data) {
    return (
      <Section heading={words.heading}>
        {error ? (
          <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>
        ) : (
          <>
            <Skeleton label={messages.common.loading} lines={5} />
            <SlowNotice waiting />
          </>
        )}
      </Section>
    );
  }
  const byPlan = data.billing === 'stripe' && !data.granted;
  // A plan that was given leaves the subscription from before as it is.
  const charged = byPlan || data.nextCharge !== null;
  const subscribed = charged && payingPath(data.state) !== '/pricing';
  return (
    <>
      <Section heading={words.heading}>
        <SubscriptionAlerts billing={data} />
        {data.granted && data.nextCharge && data.plan && (
          <div className={styles.alerts}>
            <Notice kind="info">{words.paidBesides(planTitles[data.plan])}</Notice>
          </div>
        )}
        <Facts billing={data} />
        {charged && (
          <div className={styles.actions}>
            {!subscribed && (
              <Link className={`${control.filled} ${styles.choose}`} to="/pricing">
                {words.choosePlan}
              </Link>
            )}
            {data.portal && <PortalButton>{words.openPortal}</PortalButton>}
            {subscribed && <CancelSubscription billing={data} />}
          </div>
        )}
      </Section>
      {byPlan && subscribed && <PlanChoice billing={data} salesEmail={salesEmail} />}
      {/* Below a list of unknown height: once that is there, or they would be moved by it. */}
      {charged && (!subscribed || hasPrices) && <Invoices invoices={data.invoices} />}
    </>
  );
}

function Facts({ billing }: { billing: Billing }) {
  if (billing.billing === 'off') return <p className={styles.lead}>{words.switchedOff}</p>;
  const price = billing.granted ? null : presentPrice(billing);
  return (
    <dl className={styles.facts}>
      <dt>{words.plan}</dt>
      <dd>
        {planText(billing)}
        {price && <span className={styles.aside}>{priceText(price)}</span>}
      </dd>
      <dt>{words.state}</dt>
      <dd>{stateText(billing)}</dd>
      {(!billing.granted || billing.nextCharge) && (
        <>
          <dt>{words.nextCharge}</dt>
          <dd>{nextChargeText(billing)}</dd>
          <dt>{words.card}</dt>
          <dd>{billing.card ? cardText(billing.card) : words.none}</dd>
        </>
      )}
      <dt>{words.seats}</dt>
      <dd>
        {billing.seats === null
          ? words.seatsUnlimited(billing.seatsUsed)
          : words.seatsUsed(billing.seatsUsed, billing.seats)}
        <Link className={styles.aside} to="/admin/team">
          {words.team}
        </Link>
      </dd>
    </dl>
  );
}
