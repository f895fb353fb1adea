import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { beginTotp, confirmTotp } from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { refusedFactor } from '#web/api/second-factor.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Account.module.css';
import { QrCode } from './QrCode.tsx';
import { words } from './words.ts';

/** Sets up an authenticator app: a picture to scan, the same as text, and a code that shows that it has worked. */
export function AuthenticatorDialog({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: (recoveryCodes: string[]) => void;
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.setUpApp}>
      {opened && <SetUp onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function SetUp({ onClose, onDone }: { onClose: () => void; onDone: (recoveryCodes: string[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const {
    mutate: begin,
    data,
    error,
  } = useMutation({ ...beginTotp, onError: (failure) => isCancelled(failure) && onClose() });
  const confirming = useMutation({
    ...confirmTotp,
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    onError: () => input.current?.select(),
  });
  useEffect(() => begin(), [begin]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    setMissing(code === '');
    if (code === '') input.current?.focus();
    else if (!confirming.isPending) confirming.mutate(code);
  };
  if (error && !isCancelled(error))
    return (
      <Notice kind="problem" action={{ label: words.tryAgain, run: () => begin() }}>
        {messageOf(error, words.notBegun)}
      </Notice>
    );
  if (!data) return <LoadingPart />;
  const problem = missing
    ? words.codeRequired
    : confirming.error && !isCancelled(confirming.error)
      ? (refusedFactor(confirming.error) ?? messageOf(confirming.error, words.pleaseTryAgain))
      : undefined;
  return (
    <form className={styles.setUp} noValidate onSubmit={submit}>
      <p>{words.scanThis}</p>
      <QrCode text={data.uri} label={words.qrCode} />
      <p className={styles.secret}>
        <span>{words.key}</span>
        <code>{data.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Field
        ref={input}
        label={words.codeOfApp}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        error={problem}
        data-autofocus
      />
      <DialogActions flush>
        <Button look="plain" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" pending={confirming.isPending}>
          {words.turnOn}
        </Button>
      </DialogActions>
    </form>
  );
}
