import { type FormEvent, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { signIn } from '#web/api/session.ts';
import { loadApp } from '#web/app-loader.ts';
import { cameFrom, navigate } from '#web/lib/location.ts';
import { useTitle } from '#web/lib/title.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { Field } from './Field.tsx';
import styles from './Form.module.css';

const texts = messages.login;

/** Sign-in with email and password; leads to the chat, or back to the page that asked for it. */
export function LoginPage({ brand }: { brand: string | undefined }) {
  useTitle(texts.signIn, brand);
  const email = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    try {
      await signIn({ email: String(form.get('email')), password: String(form.get('password')) });
      navigate(cameFrom(), { replace: true });
    } catch (error) {
      setFailure(error instanceof AppError ? error : new AppError('internal'));
      setBusy(false);
      email.current?.focus();
    }
  };

  return (
    <section className={styles.column}>
      <h1>{texts.signIn}</h1>
      <p className={styles.lead}>Ask your company’s documents, and check every answer at its source.</p>
      {failure && (
        <Notice kind="problem">
          {texts.failed}
          {why(failure) && <div>{why(failure)}</div>}
        </Notice>
      )}
      <form className={styles.form} noValidate onSubmit={submit} onFocus={() => void loadApp()}>
        <Field
          ref={email}
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        <button type="submit" className={styles.button} aria-disabled={busy || undefined}>
          {texts.signIn}
        </button>
      </form>
    </section>
  );
}

/** What to do when it was not the password. */
function why({ code, message }: AppError): string | null {
  return ['unavailable', 'too-many-requests', 'deadline-exceeded'].includes(code) ? message : null;
}
