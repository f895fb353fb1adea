import { useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { sendPasswordReset } from '#web/api/passwords.ts';
import { looksLikeEmail } from '#web/lib/email.ts';
import { useTitle } from '#web/lib/title.ts';
import { useSubmit } from '#web/lib/use-submit.ts';
import control from '#web/ui/control.module.css';
import { Field } from '#web/ui/Field.tsx';
import styles from './Form.module.css';
import { type LoginFormProps, problemOf, whyOf } from './login-form.ts';
import { words } from './words.ts';

const texts = messages.login;

/** Asks for a mail with a link that sets a new password. The answer never tells whether the e-mail is known. */
export function ForgotPasswordForm({ email, onEmail, message, onMessage, link }: LoginFormProps) {
  useTitle(words.forgot.title);
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const { pending, onSubmit } = useSubmit(() => {
    const to = email.trim();
    const wrong = to === '' ? texts.emailRequired : looksLikeEmail(to) ? null : messages.team.invalidEmail;
    onMessage(null);
    setProblem(wrong);
    if (wrong) {
      input.current?.focus();
      return;
    }
    return async () => {
      try {
        await sendPasswordReset(to);
        onMessage({ kind: 'done', text: texts.resetEmailSent });
      } catch (thrown) {
        const error = problemOf(thrown);
        onMessage({ kind: 'problem', text: texts.resetEmailFailed, why: whyOf(error) });
      }
    };
  });

  return (
    <>
      <h1>{words.forgot.heading}</h1>
      <p className={styles.lead}>{words.forgot.lead}</p>
      {message}
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <Field
          ref={input}
          label={words.signIn.email}
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
        <button type="submit" className={`${control.filled} ${styles.button}`} aria-disabled={pending || undefined}>
          {texts.sendResetLink}
        </button>
      </form>
      <p className={styles.below}>{link('login', texts.backToLogin)}</p>
    </>
  );
}
