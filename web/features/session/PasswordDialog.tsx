import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { answerPasswordRequest } from '#web/api/account.ts';
import { messageOf } from '#web/api/call.ts';
import { dismissPasswordRequest, usePasswordRequest } from '#web/api/recent-sign-in.ts';
import { type WantedFactor, wantedFactor } from '#web/api/second-factor.ts';
import { useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { PasswordField } from '#web/ui/Field.tsx';
import styles from './PasswordDialog.module.css';
import { SecondFactorStep } from './SecondFactorStep.tsx';

/** Asks for the password before something dangerous is done, so that a screen left open is not enough for it. */
export function PasswordDialog() {
  const wanted = usePasswordRequest();
  return (
    <Dialog opened={wanted} onClose={dismissPasswordRequest} title="Confirm your password" closable={false}>
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

  const confirmation = useMutation({
    ...answerPasswordRequest,
    onError: (error, { password }) => {
      const wanted = wantedFactor(error);
      if (wanted) return setSecond({ password, wanted });
      const mistyped = error instanceof AppError && error.code === 'invalid-credentials';
      complain(
        mistyped ? 'This is not your password. Please try again.' : messageOf(error, 'Please try again in a moment.'),
      );
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (confirmation.isPending) return;
    const password = String(new FormData(event.currentTarget).get('password'));
    if (password === '') return complain('Please enter your password.');
    setWrong(null);
    confirmation.mutate({ password });
  };

  if (second) return <SecondFactorStep {...second} />;
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>You signed in some time ago. To be sure that it is you, please enter your password once more.</p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        ref={input}
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        data-autofocus
        error={wrong ?? undefined}
      />
      <DialogActions flush>
        <Button look="plain" onClick={dismissPasswordRequest}>
          Cancel
        </Button>
        <Button type="submit" pending={confirmation.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  );
}
