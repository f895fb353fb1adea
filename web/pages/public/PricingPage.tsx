import { type ReactNode, useState, useTransition } from 'react';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { type BillingPeriod, type PlanName, planNames } from '#contract/plans.ts';
import { messageOf } from '#web/api/call.ts';
import { openCheckout, type Price, prices } from '#web/api/prices.ts';
import { knownSession, type SessionState, useSession } from '#web/api/session.ts';
import { readSettings, type Settings } from '#web/api/settings.ts';
import { navigate } from '#web/lib/location.ts';
import { inWords, periodTitles, perPersonAndMonth, planTitles } from '#web/lib/price.ts';
import { useStore } from '#web/lib/store.ts';
import { useTitle } from '#web/lib/title.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './PricingPage.module.css';
import { PageLink } from './PublicLayout.tsx';
import { words } from './words.ts';

const texts = messages.pricing;

/** The plans on sale. */
export function PricingPage({ settings }: { settings: Settings | null }) {
  useTitle(texts.heading);
  const [period, setPeriod] = useState<BillingPeriod>('annual');
  const now = useStore(prices);
  const onSale = now.state === 'ready' ? now.data : [];
  const visitor = useSession();
  const closed = settings && whyClosed(settings, visitor);
  const [pending, start] = useTransition();
  const [chosen, setChosen] = useState<PlanName | null>(null);
  const [failure, setFailure] = useState<{ text: string; code?: ErrorCode } | null>(null);

  const choose = ({ plan, priceId }: Price) => {
    if (pending) return;
    setChosen(plan);
    setFailure(null);
    start(async () => {
      try {
        await goOn(priceId);
      } catch (error) {
        console.warn('No payment page could be opened.', error);
        const text = messageOf(error, texts.checkoutFailed);
        setFailure(error instanceof AppError ? { text, code: error.code } : { text });
      }
    });
  };
  const problem: typeof failure =
    failure ?? (now.state === 'failed' ? { text: messageOf(now.error, words.pricing.notLoaded) } : null);

  const isVisitorKnown = visitor.state !== 'loading' || Boolean(visitor.problem);
  // One below the other the cards are as high as what they say.
  const isKnown = problem !== null || (settings !== null && isVisitorKnown && now.state !== 'loading');
  return (
    <div className={styles.page}>
      <h1>{texts.heading}</h1>
      <PeriodChoice value={period} onChange={setPeriod} />
      <div className={styles.banner}>
        {problem && (
          <Notice kind="problem">
            {problem.text} <WayOn code={problem.code} />
          </Notice>
        )}
        {closed && <Notice kind="info">{closed}</Notice>}
      </div>
      {/* Until it is known whether a notice stands above them the cards are left out: it would move them. */}
      {!isKnown && (
        <p role="status" data-waits>
          {messages.common.loading}
        </p>
      )}
      <ul className={styles.cards} aria-busy={now.state === 'loading'} hidden={!isKnown}>
        {planNames.map((plan) => (
          <li key={plan} className={styles.card} data-popular={plan === 'professional' || undefined}>
            <Card
              plan={plan}
              price={onSale.find((each) => each.plan === plan && (each.period === period || each.amount === null))}
              loading={now.state === 'loading'}
              pending={pending && chosen === plan}
              salesEmail={settings?.branding.salesEmail}
              onChoose={settings && !closed && (visitor.state !== 'loading' || visitor.problem) ? choose : null}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Why no plan can be chosen by who is here; null: one can. */
function whyClosed({ billing, signupOpen }: Settings, visitor: SessionState): ReactNode {
  if (visitor.state === 'signed-in') {
    return billing === 'off' ? (
      <>
        {words.pricing.unpaid} <PageLink to="/chat">{words.pricing.openApp}</PageLink>
      </>
    ) : null;
  }
  if (visitor.state === 'loading' || signupOpen) return null;
  return (
    <>
      {words.pricing.closed} <PageLink to="/login">{words.pricing.signIn}</PageLink> {words.pricing.haveAccount}
    </>
  );
}

/** Leads whoever it is on: to the payment page, to sign up, or to the app where nothing is paid. */
async function goOn(priceId: string | null): Promise<void> {
  const { billing } = await readSettings();
  const who = await knownSession();
  if (who.state === 'loading') throw who.problem ?? new AppError('unavailable');
  if (billing === 'off') navigate(who.state === 'signed-in' ? '/chat' : '/signup');
  else if (priceId === null) throw new AppError('unknown-price');
  else if (who.state !== 'signed-in') navigate(`/signup?priceId=${encodeURIComponent(priceId)}`);
  else if (who.session.user.role !== 'admin')
    throw new AppError('permission-denied', { message: words.pricing.membersDoNotPay });
  else await openCheckout(priceId);
}

/** Where it can be put right, for what is refused because of how the company stands. */
function WayOn({ code }: { code: ErrorCode | undefined }) {
  if (code === 'already-subscribed' || code === 'payment-overdue') {
    return <PageLink to="/admin/settings/billing">{words.pricing.openSettings}</PageLink>;
  }
  if (code === 'seats-in-use') return <PageLink to="/admin/team">{words.pricing.openTeam}</PageLink>;
  return null;
}

function PeriodChoice({ value, onChange }: { value: BillingPeriod; onChange: (period: BillingPeriod) => void }) {
  const option = (period: BillingPeriod) => (
    <label data-chosen={value === period || undefined}>
      <input type="radio" name="period" checked={value === period} onChange={() => onChange(period)} />
      {periodTitles[period]}
      {period === 'annual' && <span className={styles.saving}>{texts.annualSaving}</span>}
    </label>
  );
  return (
    <fieldset className={styles.period}>
      <VisuallyHidden as="legend">{words.pricing.period}</VisuallyHidden>
      {option('semiannual')}
      {option('annual')}
    </fieldset>
  );
}

interface CardProps {
  plan: PlanName;
  /** Absent: still on its way, or could not be read. */
  price: Price | undefined;
  loading: boolean;
  pending: boolean;
  /** Absent: still on its way. */
  salesEmail: string | undefined;
  /** Null: it can't be chosen here and now. */
  onChoose: ((price: Price) => void) | null;
}

function Card({ plan, price, loading, pending, salesEmail, onChoose }: CardProps) {
  return (
    <>
      <div className={styles.head}>
        <h2 id={`plan-${plan}`}>{planTitles[plan]}</h2>
        {plan === 'professional' && <span className={styles.popular}>{texts.mostPopular}</span>}
      </div>
      <Amount price={price} loading={loading} />
      <ul className={styles.features}>
        {price?.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      {price && price.amount === null && salesEmail && (
        <a className={styles.button} href={`mailto:${salesEmail}`}>
          {texts.contactSales}
        </a>
      )}
      {price && price.amount !== null && onChoose && (
        <button
          type="button"
          className={styles.button}
          aria-disabled={pending || undefined}
          aria-describedby={`plan-${plan}`}
          onClick={() => onChoose(price)}
        >
          {pending ? texts.processing : texts.getStarted}
        </button>
      )}
    </>
  );
}

function Amount({ price, loading }: { price: Price | undefined; loading: boolean }) {
  if (!price) {
    return (
      <p className={styles.amount} role={loading ? 'status' : undefined}>
        <span className={styles.every}>{loading ? messages.common.loading : '–'}</span>
      </p>
    );
  }
  const { sum, period } = inWords(price);
  const each = price.seats === null ? null : perPersonAndMonth(price, price.seats);
  return (
    <p className={styles.amount}>
      <span className={styles.sum}>{sum}</span>
      {period && <span className={styles.every}> {period}</span>}
      {each !== null && price.seats !== null && (
        <small className={styles.each}>{words.pricing.each(each, price.seats)}</small>
      )}
    </p>
  );
}
