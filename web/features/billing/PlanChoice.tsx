import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { billingPeriods, type PlanName, planNames, plans } from '#contract/plans.ts';
import { type Billing, pricesQuery } from '#web/api/billing.ts';
import { messageOf } from '#web/api/call.ts';
import type { Price } from '#web/api/prices.ts';
import { formatDay } from '#web/lib/format.ts';
import { periodTitles, planTitles } from '#web/lib/price.ts';
import { Button } from '#web/ui/Button.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Section } from '#web/ui/Section.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Billing.module.css';
import { PlanChange } from './PlanChange.tsx';
import { priceText, words } from './words.ts';

/** The plans on sale beside the one the company has. Choosing one shows first what it would cost. */
export function PlanChoice({ billing, salesEmail }: { billing: Billing; salesEmail: string | undefined }) {
  const { data: prices, error, refetch } = useQuery(pricesQuery);
  const [chosen, setChosen] = useState<Price | null>(null);
  const [opened, setOpened] = useState(false);
  const choose = (price: Price) => {
    setChosen(price);
    setOpened(true);
  };
  return (
    <Section heading={words.changePlan}>
      {error ? (
        <LoadFailed retry={refetch}>{messageOf(error, words.pricesNotLoaded)}</LoadFailed>
      ) : prices ? (
        <ul className={styles.plans}>
          {planNames.map((plan) => (
            <li key={plan}>
              <div className={styles.plan}>
                <strong>{planTitles[plan]}</strong>
                <span className={styles.seats}>{seatsOf(plan)}</span>
              </div>
              <div className={styles.prices}>
                {plans[plan].amounts === null ? (
                  <OnRequest current={billing.plan === plan} salesEmail={salesEmail} />
                ) : (
                  billingPeriods.map((period) => {
                    const price = prices.find((each) => each.plan === plan && each.period === period);
                    return price && <Choice key={period} price={price} billing={billing} onChoose={choose} />;
                  })
                )}
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton label={messages.common.loading} lines={5} />
      )}
      {chosen && (
        <PlanChange
          key={chosen.priceId}
          price={chosen}
          billing={billing}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </Section>
  );
}

interface ChoiceProps {
  price: Price;
  billing: Billing;
  onChoose: (price: Price) => void;
}

function Choice({ price, billing: { priceId, scheduled }, onChoose }: ChoiceProps) {
  const isCurrent = priceId !== null && price.priceId === priceId;
  return (
    <div className={styles.price}>
      <span>{priceText(price)}</span>
      {isCurrent ? (
        <span className={styles.yours}>{words.yourPlan}</span>
      ) : scheduled?.priceId === price.priceId ? (
        <span className={styles.yours}>
          {words.from} {formatDay(scheduled.at)}
        </span>
      ) : (
        <Button
          compact
          look="plain"
          aria-label={words.chooseThis(planTitles[price.plan], periodTitles[price.period])}
          onClick={() => onChoose(price)}
        >
          {words.choose}
        </Button>
      )}
    </div>
  );
}

function OnRequest({ current, salesEmail }: { current: boolean; salesEmail: string | undefined }) {
  return (
    <div className={styles.price}>
      <span>{messages.pricing.custom}</span>
      {current ? (
        <span className={styles.yours}>{words.yourPlan}</span>
      ) : (
        salesEmail && <a href={`mailto:${salesEmail}`}>{messages.pricing.contactSales}</a>
      )}
    </div>
  );
}

function seatsOf(plan: PlanName): string {
  const { seats } = plans[plan];
  return seats === null ? words.unlimitedUsers : words.upToUsers(seats);
}
