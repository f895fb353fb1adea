import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { answerPasswordRequest } from '#web/api/account.ts';
import { messageOf } from '#web/api/call.ts';
import { dismissPasswordRequest, usePasswordRequest } from '#web/api/recent-sign-in.ts';
import { type WantedFactor, wantedFactor } from '#web/api/second-factor.ts';
import { useSession } from '#web/api/session.ts';
import { confirmBySingleSignOn } from '#web/api/single-sign-on.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { PasswordField } from '#web/ui/Field.tsx';
import styles from './PasswordDialog.module.css';
import { SecondFactorStep } from './SecondFactorStep.tsx';
import { wordsEverywhere } from './words-everywhere.ts';

/** Asks for the password before something dangerous is done, so that a screen left open is not enough for it. */
export function PasswordDialog() {
  const wanted = usePasswordRequest();
  return (
    <Dialog
      opened={wanted}
      onClose={dismissPasswordRequest}
      title={wordsEverywhere.confirmPassword}
      closable={false}
      above
    >
      <Question />
    </Dialog>
  );
}

function Question() {
  const session = useSession();
  const email = session.state === 'signed-in' ? session.session.user.email : '';
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [second, setSecond] = useState<{ password: string; wanted: WantedFactor } | null>(null);
  const complain = (text: string) => {
    setWrong(text);
    input.current?.focus();
  };

  const leaving = useMutation(confirmBySingleSignOn);
  const bySingleSignOn = session.state === 'signed-in' && session.session.user.bySingleSignOn;

  const confirmation = useMutation({
    ...answerPasswordRequest,
    onError: (error, { password }) => {
      const wanted = wantedFactor(error);
      if (wanted) return setSecond({ password, wanted });
      const mistyped = error instanceof AppError && error.code === 'invalid-credentials';
      if (error instanceof AppError && error.code === 'single-sign-on-required') return leaving.mutate();
      complain(mistyped ? wordsEverywhere.wrongPassword : messageOf(error, wordsEverywhere.tryLater));
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (confirmation.isPending) return;
    const password = String(new FormData(event.currentTarget).get('password'));
    if (password === '') return complain(wordsEverywhere.passwordRequired);
    setWrong(null);
    confirmation.mutate({ password });
  };

  if (second) return <SecondFactorStep {...second} />;
  if (bySingleSignOn)
    return (
      <div className={styles.form}>
        <p>{wordsEverywhere.toBeSureThere}</p>
        {leaving.error && <p role="alert">{messageOf(leaving.error, wordsEverywhere.tryLater)}</p>}
        <DialogActions flush>
          <Button look="plain" onClick={dismissPasswordRequest}>
            {wordsEverywhere.cancel}
          </Button>
          <Button pending={leaving.isPending} onClick={() => leaving.mutate()} data-autofocus>
            {wordsEverywhere.continueWithSso}
          </Button>
        </DialogActions>
      </div>
    );
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{wordsEverywhere.toBeSure}</p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        ref={input}
        label={wordsEverywhere.password}
        name="password"
        autoComplete="current-password"
        required
        data-autofocus
        error={wrong ?? undefined}
      />
      <DialogActions flush>
        <Button look="plain" onClick={dismissPasswordRequest}>
          {wordsEverywhere.cancel}
        </Button>
        <Button type="submit" pending={confirmation.isPending}>
          {wordsEverywhere.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}
