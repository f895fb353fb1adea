import { type FormEvent, useRef, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messageOf } from '#web/api/call.ts';
import { confirmPassword, dismissPasswordRequest, usePasswordRequest } from '#web/api/recent-sign-in.ts';
import { useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { PasswordField } from '#web/ui/Field.tsx';
import styles from './PasswordDialog.module.css';

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
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const complain = (text: string) => {
    setWrong(text);
    setBusy(false);
    input.current?.focus();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const password = String(new FormData(event.currentTarget).get('password'));
    if (password === '') return complain('Please enter your password.');
    setBusy(true);
    setWrong(null);
    try {
      await confirmPassword(password);
    } catch (error) {
      const mistyped = error instanceof AppError && error.code === 'invalid-credentials';
      complain(
        mistyped ? 'This is not your password. Please try again.' : messageOf(error, 'Please try again in a moment.'),
      );
    }
  };

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
        <Button type="submit" pending={busy}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  );
}
