import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { confirmPassword, dismissPasswordRequest } from '#web/api/recent-sign-in.ts';
import { refusedFactor, type WantedFactor, wantedFactor } from '#web/api/second-factor.ts';
import { hasPasskeys, PasskeyRefused, signWithPasskey } from '#web/lib/passkeys.ts';
import { Button } from '#web/ui/Button.tsx';
import { DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './PasswordDialog.module.css';
import { wordsEverywhere } from './words-everywhere.ts';

/** The second factor, where the password is confirmed by who has one. */
export function SecondFactorStep({ password, wanted }: { password: string; wanted: WantedFactor }) {
  const input = useRef<HTMLInputElement>(null);
  // A challenge is used once: after a try the server is asked for the next.
  const options = useRef<unknown>(wanted.options);
  const [wrong, setWrong] = useState<string | null>(null);
  useEffect(() => input.current?.focus(), []);
  const confirmation = useMutation({
    mutationFn: async (code: string | null) => {
      if (code !== null) return confirmPassword({ password, code });
      const fresh = options.current;
      options.current = null;
      return confirmPassword({ password, assertion: await signWithPasskey(fresh ?? (await askAgain())) });
    },
    onError: (error) => {
      setWrong(
        error instanceof PasskeyRefused
          ? wordsEverywhere.noPasskey
          : (refusedFactor(error) ?? messageOf(error, wordsEverywhere.tryLater)),
      );
      input.current?.select();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (confirmation.isPending) return;
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    setWrong(code === '' ? wordsEverywhere.codeRequired : null);
    if (code === '') input.current?.focus();
    else confirmation.mutate(code);
  };
  async function askAgain(): Promise<unknown> {
    return confirmPassword({ password }).then(
      () => null,
      (error: unknown) => {
        const again = wantedFactor(error);
        if (!again) throw error;
        return again.options;
      },
    );
  }
  const passkey = wanted.methods.includes('passkey') && hasPasskeys();
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{wordsEverywhere.secondFactorToo}</p>
      <Field
        ref={input}
        label={wanted.methods.includes('totp') ? wordsEverywhere.codeOrRecovery : wordsEverywhere.recoveryCode}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        error={wrong ?? undefined}
      />
      <DialogActions flush>
        <Button look="plain" onClick={dismissPasswordRequest}>
          {wordsEverywhere.cancel}
        </Button>
        {passkey && (
          <Button look="plain" pending={confirmation.isPending} onClick={() => confirmation.mutate(null)}>
            {wordsEverywhere.usePasskey}
          </Button>
        )}
        <Button type="submit" pending={confirmation.isPending}>
          {wordsEverywhere.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}
