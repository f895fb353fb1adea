import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { AppError } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import { changePassword, saveDisplayName } from '#web/api/account.ts';
import { messageOf } from '#web/api/call.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, maxNameLength, newPasswordHint, PasswordField } from '#web/ui/Field.tsx';
import styles from './AccountDialog.module.css';
import { words } from './words.ts';
import { wordsEverywhere } from './words-everywhere.ts';

/** What a person can change about themselves: how they are called, and the password. */
export function AccountDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const now = useSession();
  return (
    <Dialog opened={opened && now.state === 'signed-in'} onClose={onClose} title={words.yourAccount}>
      {now.state === 'signed-in' && (
        <>
          <p className={styles.email}>{now.session.user.email}</p>
          <NameForm user={now.session.user} />
          <PasswordForm email={now.session.user.email} />
          <p className={styles.more}>
            <Link to="/account/security" onClick={onClose}>
              {words.signInAndSecurity}
            </Link>
            <span>{words.signInAndSecurityHint}</span>
          </p>
          <p className={styles.more}>
            <Link to="/account/data" onClick={onClose}>
              {words.yourData}
            </Link>
            <span>{words.yourDataHint}</span>
          </p>
        </>
      )}
    </Dialog>
  );
}

function NameForm({ user }: { user: Session['user'] }) {
  const [name, setName] = useState(user.displayName ?? '');
  const saving = useMutation(saveDisplayName);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate(name);
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Field
        label={words.yourName}
        name="displayName"
        autoComplete="name"
        maxLength={maxNameLength}
        hint={words.nameHint}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={saving.error ? messageOf(saving.error, words.nameNotSaved) : undefined}
        data-autofocus
      />
      <Foot done={saving.isSuccess && words.nameSaved}>
        <Button type="submit" pending={saving.isPending}>
          {words.saveName}
        </Button>
      </Foot>
    </form>
  );
}

function PasswordForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<{ field: 'currentPassword' | 'newPassword'; text: string } | null>(null);
  const complain = (field: 'currentPassword' | 'newPassword', text: string) => {
    setWrong({ field, text });
    const input = form.current?.elements.namedItem(field);
    if (input instanceof HTMLInputElement) input.focus();
  };

  const change = useMutation({
    ...changePassword,
    onSuccess: () => form.current?.reset(),
    onError: (error) => {
      const code = error instanceof AppError ? error.code : 'internal';
      if (code === 'invalid-credentials') complain('currentPassword', wordsEverywhere.wrongPassword);
      else complain('newPassword', messageOf(error, words.passwordNotChanged));
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const fields = new FormData(event.currentTarget);
    const currentPassword = String(fields.get('currentPassword'));
    const newPassword = String(fields.get('newPassword'));
    setWrong(null);
    change.reset();
    if (currentPassword === '') return complain('currentPassword', wordsEverywhere.passwordRequired);
    if (newPassword === '') return complain('newPassword', messages.login.newPasswordRequired);
    change.mutate({ currentPassword, newPassword });
  };

  const errorOf = (field: string) => (wrong?.field === field ? wrong.text : undefined);
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit}>
      <h3>{words.changePassword}</h3>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={words.currentPassword}
        name="currentPassword"
        autoComplete="current-password"
        required
        error={errorOf('currentPassword')}
      />
      <PasswordField
        label={words.newPassword}
        name="newPassword"
        autoComplete="new-password"
        hint={newPasswordHint}
        required
        error={errorOf('newPassword')}
      />
      <Foot done={change.isSuccess && words.passwordChanged}>
        <Button type="submit" look="plain" pending={change.isPending}>
          {words.changePassword}
        </Button>
      </Foot>
    </form>
  );
}

function Foot({ done, children }: { done: string | false; children: ReactNode }) {
  return (
    <DialogActions apart flush>
      <span className={styles.done} role="status">
        {done}
      </span>
      {children}
    </DialogActions>
  );
}
