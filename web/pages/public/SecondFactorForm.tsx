import { useEffect, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { refusedFactor, type WantedFactor, wantedFactor } from '#web/api/second-factor.ts';
import { signIn } from '#web/api/session.ts';
import { cameFrom, navigate } from '#web/lib/location.ts';
import { hasPasskeys, PasskeyRefused, signWithPasskey } from '#web/lib/passkeys.ts';
import { useTitle } from '#web/lib/title.ts';
import { useSubmit } from '#web/lib/use-submit.ts';
import control from '#web/ui/control.module.css';
import { Field } from '#web/ui/Field.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import styles from './Form.module.css';
import { words } from './second-step-words.ts';

const texts = messages.login;

/** The second step of signing in, for who has a second factor: the password was right. */
export function SecondFactorForm({
  email,
  password,
  wanted,
  onBack,
}: {
  email: string;
  password: string;
  wanted: WantedFactor;
  /** Back to the password, with why where it was not the person's wish. */
  onBack: (problem?: unknown) => void;
}) {
  useTitle(texts.signIn);
  const { methods } = wanted;
  const passkey = methods.includes('passkey') && hasPasskeys();
  const [way, setWay] = useState(passkey ? 'passkey' : methods.includes('totp') ? 'totp' : 'recovery-code');
  const [problem, setProblem] = useState<string | null>(null);
  // A challenge is used once: after a try the server is asked for the next.
  const options = useRef<unknown>(wanted.options);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => (way === 'passkey' ? button.current?.focus() : input.current?.focus()), [way]);

  async function freshOptions(): Promise<unknown> {
    const fresh = options.current;
    options.current = null;
    if (fresh) return fresh;
    // It is asked for again by signing in without it.
    return signIn({ email, password }).then(
      () => null,
      (error: unknown) => {
        const again = wantedFactor(error);
        if (!again) throw error;
        return again.options;
      },
    );
  }

  const { pending, onSubmit } = useSubmit((fields) => {
    const code = String(fields.get('code') ?? '').trim();
    setProblem(null);
    if (way !== 'passkey' && code === '') {
      setProblem(words.codeRequired);
      input.current?.focus();
      return;
    }
    return async () => {
      try {
        const proof = way === 'passkey' ? { assertion: await signWithPasskey(await freshOptions()) } : { code };
        await signIn({ email, password, ...proof });
        navigate(cameFrom(), { replace: true });
      } catch (error) {
        if (error instanceof AppError && error.code === 'invalid-credentials') return onBack(error);
        setProblem(
          error instanceof PasskeyRefused
            ? words.noPasskey
            : (refusedFactor(error) ?? (error instanceof AppError ? error.message : words.wentWrong)),
        );
        input.current?.select();
      }
    };
  });

  const others = [
    ...(passkey ? [{ name: 'passkey', label: words.usePasskey }] : []),
    ...(methods.includes('totp') ? [{ name: 'totp', label: words.useCode }] : []),
    { name: 'recovery-code', label: words.useRecoveryCode },
  ].filter(({ name }) => name !== way);
  return (
    <>
      <h1>{texts.signIn}</h1>
      <p className={styles.lead}>
        {words.oneMoreStep}
        <span className={styles.whose}>{email}</span>.
      </p>
      {way === 'passkey' && problem !== null && <Notice kind="problem">{problem}</Notice>}
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        {way === 'passkey' && <p>{words.browserAsks}</p>}
        {way !== 'passkey' && (
          <Field
            key={way}
            ref={input}
            label={way === 'totp' ? words.codeOfApp : words.recoveryCode}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            {...(way === 'totp' ? { inputMode: 'numeric', hint: words.codeHint } : {})}
            {...(way === 'recovery-code' ? { hint: words.recoveryHint } : {})}
            error={problem ?? undefined}
          />
        )}
        <button
          ref={button}
          type="submit"
          className={`${control.filled} ${styles.button}`}
          aria-disabled={pending || undefined}
        >
          {way === 'passkey' ? words.usePasskey : texts.signIn}
        </button>
      </form>
      <p className={`${styles.below} ${styles.ways}`}>
        {others.map(({ name, label }) => (
          <TextButton
            key={name}
            onClick={() => {
              setProblem(null);
              setWay(name);
            }}
          >
            {label}
          </TextButton>
        ))}
        <TextButton onClick={() => onBack()}>{texts.backToLogin}</TextButton>
      </p>
    </>
  );
}
