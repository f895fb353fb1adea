import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { confirmPasswordReset, type ResetCode, verifyResetCode } from '#web/api/passwords.ts';
import { createResource } from '#web/lib/resource.ts';
import { useStore } from '#web/lib/store.ts';
import { useTitle } from '#web/lib/title.ts';
import { useSubmit } from '#web/lib/use-submit.ts';
import control from '#web/ui/control.module.css';
import { Field, maxNameLength, newPasswordHint, PasswordField } from '#web/ui/Field.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Form.module.css';
import { type LoginFormProps, problemOf, whyOf } from './login-form.ts';
import { words } from './reset-words.ts';

const texts = messages.login;

/** Sets a password with the code of a mailed link: a new one, or the first one of an invited person. */
export function ResetPasswordForm({ code, ...props }: LoginFormProps & { code: string | null }) {
  useTitle(words.title);
  const [verification] = useState(() =>
    createResource(async () => (code === null ? null : await verifyResetCode(code))),
  );
  const now = useStore(verification);
  const problem = now.state === 'failed' ? problemOf(now.error) : null;
  // What may be right at the next try must not be called invalid.
  const isInvalid = problem !== null && whyOf(problem) === null;
  const refuse = useEffectEvent(() => props.leave('login', { kind: 'problem', text: texts.invalidResetLink }));
  useEffect(() => {
    if (isInvalid) refuse();
  }, [isInvalid]);

  if (problem && !isInvalid) {
    return (
      <>
        <h1>{words.heading}</h1>
        <Notice kind="problem" action={{ label: words.tryAgain, run: verification.reload }}>
          {problem.message}
        </Notice>
        <p className={styles.below}>{props.link('login', texts.backToLogin)}</p>
      </>
    );
  }
  if (code !== null && now.state !== 'ready') {
    return (
      <>
        <h1>{words.heading}</h1>
        <p className={styles.lead} role="status">
          {messages.common.loading}
        </p>
      </>
    );
  }
  return <NewPassword {...props} code={code} verified={now.state === 'ready' ? now.data : null} />;
}

/** The form itself; without a code (cut off by a mail program, or lost by a reload) it says so. */
function NewPassword({
  code,
  verified,
  message,
  onMessage,
  onEmail,
  link,
  leave,
}: LoginFormProps & { code: string | null; verified: ResetCode | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const complain = (text: string) => {
    setWrong(text);
    input.current?.focus();
  };

  const { pending, onSubmit } = useSubmit((fields) => {
    const newPassword = String(fields.get('newPassword'));
    const displayName = String(fields.get('displayName') ?? '');
    onMessage(null);
    setWrong(null);
    if (newPassword === '') complain(texts.newPasswordRequired);
    else if (code === null) onMessage({ kind: 'problem', text: texts.noResetCode });
    else return () => save(code, { newPassword, displayName });
  });
  const save = async (code: string, chosen: { newPassword: string; displayName: string }) => {
    try {
      onEmail(await confirmPasswordReset(code, chosen));
      leave('login', { kind: 'done', text: texts.resetSucceeded });
    } catch (thrown) {
      const error = problemOf(thrown);
      if (error.code === 'weak-password') complain(error.message);
      else onMessage({ kind: 'problem', text: texts.resetFailed, why: whyOf(error) });
    }
  };

  const invited = verified?.purpose === 'invite';
  return (
    <>
      <h1>{invited ? words.welcome : words.heading}</h1>
      {verified && (
        <p className={styles.lead}>
          {invited ? words.invited : words.forWhom}
          <span className={styles.whose}>{verified.email}</span>
          {invited && words.thenSignIn}.
        </p>
      )}
      {message ||
        (code === null && (
          <Notice kind="problem">
            {texts.noResetCode}
            <div>{words.openAgain}</div>
          </Notice>
        ))}
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        {/* Tells a password manager whose password it is. */}
        {verified && (
          <input type="text" name="username" autoComplete="username" value={verified.email} readOnly hidden />
        )}
        {invited && (
          <Field
            label={words.yourName}
            name="displayName"
            autoComplete="name"
            maxLength={maxNameLength}
            hint={words.nameHint}
          />
        )}
        <PasswordField
          ref={input}
          label={words.newPassword}
          name="newPassword"
          autoComplete="new-password"
          hint={newPasswordHint}
          required
          error={wrong ?? undefined}
        />
        <button type="submit" className={`${control.filled} ${styles.button}`} aria-disabled={pending || undefined}>
          {texts.saveNewPassword}
        </button>
      </form>
      <p className={styles.below}>
        {link('login', texts.backToLogin)}
        {code === null && <> · {link('forgotPassword', words.sendNewLink)}</>}
      </p>
    </>
  );
}
