import { Suspense, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type WantedFactor, wantedFactor } from '#web/api/second-factor.ts';
import { signIn } from '#web/api/session.ts';
import { useSettings } from '#web/api/settings.ts';
import { loadApp } from '#web/app-loader.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { cameFrom, navigate } from '#web/lib/location.ts';
import { useTitle } from '#web/lib/title.ts';
import { useSubmit } from '#web/lib/use-submit.ts';
import { PartBoundary } from '#web/pages/FailedPage.tsx';
import control from '#web/ui/control.module.css';
import { Field, PasswordField } from '#web/ui/Field.tsx';
import styles from './Form.module.css';
import { type LoginFormProps, problemOf, whyOf } from './login-form.ts';
import { PageLink } from './PublicLayout.tsx';
import { words } from './words.ts';

// Only for who has a second factor.
const SecondFactorForm = lazyPart(() =>
  import('./SecondFactorForm.tsx').then(({ SecondFactorForm }) => SecondFactorForm),
);

// Only where a company uses it.
const SingleSignOnButton = lazyPart(() =>
  import('./SingleSignOn.tsx').then(({ SingleSignOnButton }) => SingleSignOnButton),
);

const texts = messages.login;

/** Sign-in with email and password; leads to the chat, or back to the page that asked for it. */
export function LoginForm({ email, onEmail, message, waits, onMessage, link }: LoginFormProps) {
  useTitle(texts.signIn);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const settings = useSettings();
  const [second, setSecond] = useState<{ password: string; wanted: WantedFactor } | null>(null);
  const [missing, setMissing] = useState<'email' | 'password' | null>(null);

  const { pending, onSubmit } = useSubmit((fields) => {
    const password = String(fields.get('password'));
    const empty = email.trim() === '' ? 'email' : password === '' ? 'password' : null;
    onMessage(null);
    setMissing(empty);
    if (empty) {
      (empty === 'email' ? emailInput : passwordInput).current?.focus();
      return;
    }
    return async () => {
      try {
        await signIn({ email, password });
        navigate(cameFrom(), { replace: true });
      } catch (thrown) {
        const wanted = wantedFactor(thrown);
        if (wanted) return setSecond({ password, wanted });
        const error = problemOf(thrown);
        onMessage({ kind: 'problem', text: texts.failed, why: whyOf(error) });
        // The password is what is most often wrong.
        passwordInput.current?.select();
      }
    };
  });

  // What it comes to may take more lines, and would move the form.
  if (waits)
    return (
      <>
        <h1>{texts.signIn}</h1>
        {message}
      </>
    );
  if (second)
    return (
      <PartBoundary problem={words.signIn.nextStepNotLoaded}>
        <Suspense fallback={<p>{messages.common.loading}</p>}>
          <SecondFactorForm
            email={email}
            {...second}
            onBack={(problem) => {
              setSecond(null);
              if (problem) onMessage({ kind: 'problem', text: texts.failed, why: whyOf(problemOf(problem)) });
            }}
          />
        </Suspense>
      </PartBoundary>
    );
  return (
    <>
      <h1>{texts.signIn}</h1>
      <p className={styles.lead}>{words.signIn.lead}</p>
      {message}
      {/* Whoever starts it for the first time finds nobody to sign in as. */}
      {settings?.isEmpty && settings.signupOpen && !settings.setupCodeNeeded && (
        <p className={styles.lead}>
          {words.signIn.noCompany} <PageLink to="/signup">{words.signIn.createYours}</PageLink>
        </p>
      )}
      <form className={styles.form} noValidate onSubmit={onSubmit} onFocus={() => void loadApp()}>
        <Field
          ref={emailInput}
          label={words.signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={(event) => onEmail(event.target.value)}
          error={missing === 'email' ? texts.emailRequired : undefined}
        />
        <PasswordField
          ref={passwordInput}
          label={words.signIn.password}
          name="password"
          autoComplete="current-password"
          required
          error={missing === 'password' ? words.signIn.passwordMissing : undefined}
        />
        <button type="submit" className={`${control.filled} ${styles.button}`} aria-disabled={pending || undefined}>
          {texts.signIn}
        </button>
      </form>
      {settings?.singleSignOn && /@[^@\s]+\.[^@\s]+$/.test(email) && (
        <PartBoundary problem={words.signIn.ssoNotLoaded}>
          <Suspense>
            <SingleSignOnButton email={email} onMessage={onMessage} />
          </Suspense>
        </PartBoundary>
      )}
      <p className={styles.below}>{link('forgotPassword', texts.forgotPassword)}</p>
    </>
  );
}
