import { useEffect, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { cameFrom, cleanAddress, navigate, useLocation } from '#web/lib/location.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { ForgotPasswordForm } from './ForgotPasswordForm.tsx';
import styles from './Form.module.css';
import { LoginForm } from './LoginForm.tsx';
import type { FormMessage, LoginFormProps } from './login-form.ts';
import { addressOf, codeIn, type LoginMode, modeOf } from './login-mode.ts';
import { PageLink } from './PublicLayout.tsx';
import { ResetPasswordForm } from './ResetPasswordForm.tsx';

const texts = messages.login;

/** The three modes of the login screen. The address says which one is open; a code in it is taken out at once. */
export function LoginPage() {
  const mode = modeOf(useLocation(({ search }) => search));
  const [code] = useState(() => codeIn(window.location.search));
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState<(FormMessage & { mode: LoginMode }) | null>(null);
  const column = useRef<HTMLElement>(null);
  const shownMode = useRef(mode);

  useEffect(() => {
    if (new URLSearchParams(window.location.search).has('oobCode')) cleanAddress(addressOf('resetPassword'));
  }, []);

  useEffect(() => {
    if (shownMode.current === mode) return;
    shownMode.current = mode;
    const inputs = [...(column.current?.querySelectorAll<HTMLInputElement>('input:not([readonly])') ?? [])];
    (inputs.find(({ value }) => value === '') ?? inputs[0])?.focus();
  }, [mode]);

  // Only the person's own switch clears what was said; a mode that ends by itself takes its message along.
  const follow = (to: LoginMode) => {
    setMessage(null);
    navigate(addressOf(to), origin());
  };
  const props: LoginFormProps = {
    email,
    onEmail: setEmail,
    message: message?.mode === mode && (
      <Notice kind={message.kind}>
        {message.text}
        {message.why && <div>{message.why}</div>}
      </Notice>
    ),
    onMessage: (next) => setMessage(next && { ...next, mode }),
    link: (to, text) => (
      <PageLink to={addressOf(to)} go={() => follow(to)}>
        {text}
      </PageLink>
    ),
    leave: (to, next) => {
      setMessage({ ...next, mode: to });
      navigate(addressOf(to), { replace: true, ...origin() });
    },
  };
  return (
    <section ref={column} className={styles.column} aria-label={texts.signIn}>
      {mode === 'login' && <LoginForm {...props} />}
      {mode === 'forgotPassword' && <ForgotPasswordForm {...props} />}
      {mode === 'resetPassword' && <ResetPasswordForm {...props} code={code} />}
    </section>
  );
}

/** The page that a guard sent the person away from is kept from mode to mode. */
function origin(): { state?: { from: string } } {
  const from = cameFrom();
  return from === '/chat' ? {} : { state: { from } };
}
