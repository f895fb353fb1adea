import { useEffect, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { currency, priceOnSale } from '#contract/plans.ts';
import { messageOf } from '#web/api/call.ts';
import { signUp } from '#web/api/session.ts';
import type { Settings } from '#web/api/settings.ts';
import { loadApp } from '#web/app-loader.ts';
import { cleanAddress, keptCode, leaveFor, navigate } from '#web/lib/location.ts';
import { inWords, periodTitles, planTitles } from '#web/lib/price.ts';
import { useTitle } from '#web/lib/title.ts';
import { useSubmit } from '#web/lib/use-submit.ts';
import control from '#web/ui/control.module.css';
import { Field, newPasswordHint, PasswordField } from '#web/ui/Field.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Form.module.css';
import { PageLink } from './PublicLayout.tsx';
import { firstProblem, type SignupField, type SignupFields } from './signup-rules.ts';
import { words } from './words.ts';

const texts = messages.signup;

/** Creates a company with its first admin. With payment it needs the price that was chosen. */
export function SignupPage({ settings }: { settings: Settings | null }) {
  useTitle(texts.submitWithoutPayment);
  const priceId = new URLSearchParams(window.location.search).get('priceId') || undefined;
  // Taken out of the address like the code of any link, and kept for a reload of this very page.
  const [setupCode] = useState(() => setupCodeIn(window.location.search) ?? keptCode() ?? undefined);
  useEffect(() => {
    const code = setupCodeIn(window.location.search);
    if (code !== null) cleanAddress('/signup', code);
  }, []);
  const missing = settings?.billing === 'stripe' && priceId === undefined;
  useEffect(() => {
    if (missing) navigate('/pricing', { replace: true });
  }, [missing]);
  // They decide which form it is, and whether there is one.
  if (missing || !settings) return <LoadingPart />;
  if (!settings.signupOpen) return <Closed />;
  if (settings.setupCodeNeeded && setupCode === undefined) return <NeedsLink />;
  return <SignupForm priceId={settings.billing === 'off' ? undefined : priceId} setupCode={setupCode} />;
}

interface SignupFormProps {
  priceId: string | undefined;
  /** Of the set-up link. */
  setupCode: string | undefined;
}

function SignupForm({ priceId, setupCode }: SignupFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<{ field: SignupField; text: string } | null>(null);
  const [failure, setFailure] = useState<{ text: string; atCheckout?: boolean } | null>(null);

  const complain = (field: SignupField, text: string) => {
    setProblem({ field, text });
    const input = form.current?.elements.namedItem(field);
    if (input instanceof HTMLInputElement) input.focus();
  };

  const { pending, onSubmit } = useSubmit((form) => {
    setProblem(null);
    setFailure(null);
    const fields = read(form);
    const wrong = firstProblem(fields);
    if (!wrong) return () => send(fields);
    complain(wrong.field, wrong.text);
  });
  const send = async ({ companyName, email, password }: SignupFields) => {
    void loadApp();
    try {
      const { checkout, checkoutError } = await signUp({
        companyName,
        email,
        password,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(priceId === undefined ? {} : { priceId }),
        ...(setupCode === undefined ? {} : { setupCode }),
      });
      // The account is there now: back from paying, a plan is chosen rather than another account made.
      if (checkout) await leaveFor(checkout.url, '/pricing');
      else if (priceId === undefined) navigate('/chat', { replace: true });
      else setFailure({ text: checkoutError || texts.checkoutFailed, atCheckout: true });
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal';
      if (code === 'weak-password') complain('password', messageOf(error, texts.failed));
      else if (code === 'email-already-in-use') complain('email', texts.emailInUse);
      else if (code === 'invalid-company-name') complain('companyName', messageOf(error, texts.failed));
      else setFailure({ text: messageOf(error, texts.failed) });
    }
  };

  const errorOf = (field: SignupField) => (problem?.field === field ? problem.text : undefined);
  return (
    <section className={styles.column}>
      <h1>{words.signUp.heading}</h1>
      <ChosenPlan priceId={priceId} />
      {failure && (
        <Notice kind="problem">
          {failure.text}
          {failure.atCheckout && (
            <div>
              {words.signUp.accountReady} <PageLink to="/pricing">{words.signUp.choosePlan}</PageLink>{' '}
              {words.signUp.toPay}
            </div>
          )}
        </Notice>
      )}
      <form ref={form} className={styles.form} noValidate onSubmit={onSubmit}>
        <Field
          label={words.signUp.company}
          name="companyName"
          autoComplete="organization"
          maxLength={200}
          required
          error={errorOf('companyName')}
        />
        <Field
          label={words.signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errorOf('email')}
        />
        <PasswordField
          label={words.signIn.password}
          name="password"
          autoComplete="new-password"
          hint={newPasswordHint}
          required
          error={errorOf('password')}
        />
        <PasswordField
          label={words.signUp.confirm}
          name="confirmPassword"
          autoComplete="new-password"
          required
          error={errorOf('confirmPassword')}
        />
        <button type="submit" className={`${control.filled} ${styles.button}`} aria-disabled={pending || undefined}>
          {pending ? texts.busy : priceId === undefined ? texts.submitWithoutPayment : texts.submit}
        </button>
      </form>
      <p className={styles.below}>
        {texts.alreadyHaveAccount} <PageLink to="/login">{texts.signIn}</PageLink>
      </p>
    </section>
  );
}

/** What will be paid for. A price that is not on sale is refused when it is sent. */
function ChosenPlan({ priceId }: { priceId: string | undefined }) {
  const price = priceOnSale(priceId ?? '');
  if (!price) return null;
  const { sum, period } = inWords({ ...price, currency });
  return (
    <p className={styles.lead}>
      {words.signUp.plan(planTitles[price.plan], periodTitles[price.period], [sum, period].filter(Boolean).join(' '))}{' '}
      <PageLink to="/pricing">{words.signUp.otherPlan}</PageLink>
    </p>
  );
}

/** Others can reach this service before its owner does. */
function NeedsLink() {
  return (
    <section className={styles.column}>
      <h1>{words.signUp.setUp}</h1>
      <p className={styles.lead}>{words.signUp.needsLink}</p>
      <p className={styles.below}>
        {texts.alreadyHaveAccount} <PageLink to="/login">{texts.signIn}</PageLink>
      </p>
    </section>
  );
}

function Closed() {
  return (
    <section className={styles.column}>
      <h1>{words.signUp.closed}</h1>
      <p className={styles.lead}>{words.signUp.askAdmin}</p>
      <p className={styles.below}>
        {texts.alreadyHaveAccount} <PageLink to="/login">{texts.signIn}</PageLink>
      </p>
    </section>
  );
}

function read(form: FormData): SignupFields {
  const text = (name: SignupField) => String(form.get(name) ?? '');
  return {
    companyName: text('companyName'),
    email: text('email').trim(),
    password: text('password'),
    confirmPassword: text('confirmPassword'),
  };
}

function setupCodeIn(search: string): string | null {
  return new URLSearchParams(search).get('setupCode')?.trim() || null;
}
