import { type FormEvent, useRef, useState } from 'react';

import { messages } from '#contract/messages.ts';
import { sendPasswordReset } from '#web/api/passwords.ts';
import { looksLikeEmail } from '#web/lib/email.ts';
import { useTitle } from '#web/lib/title.ts';
import { Field } from '#web/ui/Field.tsx';
import styles from './Form.module.css';
import { type LoginFormProps, problemOf, whyOf } from './login-form.ts';

const texts = messages.login;

/** Asks for a mail with a link that sets a new password. The answer never tells whether the e-mail is known. */
export function ForgotPasswordForm({ email, onEmail, message, onMessage, link }: LoginFormProps) {
  useTitle('Reset password');
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const to = email.trim();
    const wrong = to === '' ? texts.emailRequired : looksLikeEmail(to) ? null : messages.team.invalidEmail;
    onMessage(null);
    setProblem(wrong);
    if (wrong) return input.current?.focus();
    setBusy(true);
    try {
      await sendPasswordReset(to);
      onMessage({ kind: 'done', text: texts.resetEmailSent });
    } catch (thrown) {
      const error = problemOf(thrown);
      onMessage({ kind: 'problem', text: texts.resetEmailFailed, why: whyOf(error) });
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <h1>Reset your password</h1>
      <p className={styles.lead}>We send you a link with which you choose a new one. It holds for an hour.</p>
      {message}
      <form className={styles.form} noValidate onSubmit={submit}>
        <Field
          ref={input}
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={(event) => onEmail(event.target.value)}
          error={problem ?? undefined}
        />
        <button type="submit" className={styles.button} aria-disabled={busy || undefined}>
          {texts.sendResetLink}
        </button>
      </form>
      <p className={styles.below}>{link('login', texts.backToLogin)}</p>
    </>
  );
}
