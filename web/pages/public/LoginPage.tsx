import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { cameFrom, cleanAddress, keptCode, navigate, useLocation } from '#web/lib/location.ts';
import { dismissLoginMessage, useLoginMessage } from '#web/lib/login-message.ts';
import { useTitle } from '#web/lib/title.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { ForgotPasswordForm } from './ForgotPasswordForm.tsx';
import styles from './Form.module.css';
import { LoginForm } from './LoginForm.tsx';
import type { FormMessage, LoginFormProps } from './login-form.ts';
import { addressOf, codeIn, type LoginMode, modeOf, providersAnswerIn } from './login-mode.ts';
import { PageLink } from './PublicLayout.tsx';
import { ResetPasswordForm } from './ResetPasswordForm.tsx';
import { useConfirmation } from './use-confirmation.ts';
import { words } from './words.ts';

const SingleSignOnReturn = lazyPart(() =>
  import('./SingleSignOn.tsx').then(({ SingleSignOnReturn }) => SingleSignOnReturn),
);

const texts = messages.login;

/** The three modes of the login screen. The address says which one is open; a code in it is taken out at once. */
export function LoginPage() {
  const mode = modeOf(useLocation(({ search }) => search));
  const [code] = useState(() => codeIn(window.location.search) ?? keptCode());
  const [answer, setAnswer] = useState(() => providersAnswerIn(window.location.search));
  const told = useLoginMessage();
  const confirmation = useConfirmation();
  const [switched, setSwitched] = useState(false);
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState<(FormMessage & { mode: LoginMode }) | null>(null);
  const column = useRef<HTMLElement>(null);
  const shownMode = useRef(mode);

  useEffect(() => {
    const { search } = window.location;
    if (new URLSearchParams(search).has('oobCode')) cleanAddress(addressOf('resetPassword'), codeIn(search));
  }, []);

  useEffect(() => {
    if (shownMode.current === mode) return;
    shownMode.current = mode;
    const inputs = [...(column.current?.querySelectorAll<HTMLInputElement>('input:not([readonly])') ?? [])];
    (inputs.find(({ value }) => value === '') ?? inputs[0])?.focus();
  }, [mode]);

  // Only the person's own switch clears what was said; a mode that ends by itself takes its message along.
  const say = (next: (FormMessage & { mode: LoginMode }) | null) => {
    dismissLoginMessage();
    setMessage(next);
  };
  const follow = (to: LoginMode) => {
    say(null);
    setSwitched(true);
    navigate(addressOf(to), origin());
  };
  const ofMode = message?.mode === mode ? message : null;
  const shown: ReturnType<typeof useConfirmation> =
    ofMode ??
    (mode !== 'login' ? null : told !== null ? { kind: 'problem', text: told } : switched ? null : confirmation);
  const props: LoginFormProps = {
    email,
    onEmail: setEmail,
    message: shown && (
      <Notice kind={shown.kind}>
        {shown.text}
        {shown.why && <div>{shown.why}</div>}
      </Notice>
    ),
    waits: shown?.kind === 'info',
    onMessage: (next) => say(next && { ...next, mode }),
    link: (to, text) => (
      <PageLink to={addressOf(to)} go={() => follow(to)}>
        {text}
      </PageLink>
    ),
    leave: (to, next) => {
      say({ ...next, mode: to });
      navigate(addressOf(to), { replace: true, ...origin() });
    },
  };
  if (answer !== null)
    return (
      <section className={`${styles.column} ${styles.still}`} aria-label={texts.signIn}>
        <Suspense>
          <SingleSignOnReturn
            search={answer}
            onMessage={(next) => {
              setAnswer(null);
              props.onMessage(next);
            }}
          />
        </Suspense>
      </section>
    );
  return (
    <section ref={column} className={`${styles.column} ${styles.still}`} aria-label={texts.signIn}>
      {mode === 'login' &&
        (shown?.isIn ? <SignedInAlready>{props.message}</SignedInAlready> : <LoginForm {...props} />)}
      {mode === 'forgotPassword' && <ForgotPasswordForm {...props} />}
      {mode === 'resetPassword' && <ResetPasswordForm {...props} code={code} />}
    </section>
  );
}

/** What stands in place of the form for who needs none. */
function SignedInAlready({ children }: { children: ReactNode }) {
  useTitle(words.signIn.emailConfirmed);
  return (
    <>
      <h1>{words.signIn.emailConfirmed}</h1>
      {children}
      <p>
        <PageLink to="/chat">{words.pricing.openApp}</PageLink>
      </p>
    </>
  );
}

/** The page that a guard sent the person away from is kept from mode to mode. */
function origin(): { state?: { from: string } } {
  const from = cameFrom();
  return from === '/chat' ? {} : { state: { from } };
}
