import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AppError } from '#contract/errors.ts';
import {
  type AccountSecurity,
  addPasskey,
  reloadAccountSecurity,
  removeSecondFactor,
  renewRecoveryCodes,
} from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { hasPasskeys, PasskeyRefused } from '#web/lib/passkeys.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Account.module.css';
import { AuthenticatorDialog } from './AuthenticatorDialog.tsx';
import { type Factor, FactorList } from './FactorList.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** What signing in takes beside the password: an app, passkeys, and recovery codes. */
export function SecondFactorSection({
  state,
  onDone,
}: {
  state: AccountSecurity['secondFactor'];
  /** The first one is there, and its recovery codes have been seen. */
  onDone?: () => void;
}) {
  const [dialog, setDialog] = useState<'app' | 'renew' | Factor | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const { factors, recoveryCodesLeft } = state;
  const failed = (error: unknown, fallback: string) => {
    if (error instanceof AppError && error.code === 'cancelled') return;
    showAlert('problem', messageOf(error, fallback));
  };
  const added = (fresh: string[]) => {
    setDialog(null);
    setCodes(fresh);
    void reloadAccountSecurity();
    if (fresh.length === 0) showAlert('done', 'It is asked for from your next sign-in on.');
  };
  const passkey = useMutation({
    ...addPasskey,
    onSuccess: ({ recoveryCodes }) => added(recoveryCodes),
    onError: (error) =>
      error instanceof PasskeyRefused
        ? showAlert('problem', 'No passkey was made. This device may have one already, or the window was closed.')
        : failed(error, 'The passkey could not be added.'),
  });
  const removal = useMutation({
    ...removeSecondFactor,
    onSuccess: () => showAlert('done', 'Removed.'),
    onError: (error) => failed(error, 'It could not be removed.'),
    onSettled: () => void reloadAccountSecurity(),
  });
  const renewal = useMutation({
    ...renewRecoveryCodes,
    onSuccess: ({ recoveryCodes }) => added(recoveryCodes),
    onError: (error) => failed(error, 'New codes could not be made.'),
  });
  const going = typeof dialog === 'object' ? dialog : null;
  const hasApp = factors.some(({ kind }) => kind === 'totp');

  return (
    <Section heading="Second factor">
      {!state.isPossible ? (
        <p className={styles.lead}>
          Your password is kept by another service. Whether it asks for a second factor is set there, not here.
        </p>
      ) : (
        <>
          <p className={styles.lead}>
            {factors.length === 0
              ? 'With one, your password alone lets nobody in: signing in also takes a code of your phone, or a passkey.'
              : 'Signing in takes your password and one of these.'}
          </p>
          {factors.length > 0 && (
            <FactorList
              factors={factors}
              recoveryCodesLeft={recoveryCodesLeft}
              removing={removal.isPending ? removal.variables : undefined}
              onRemove={setDialog}
              onRenew={() => setDialog('renew')}
            />
          )}
          <p className={styles.actions}>
            <Button look={factors.length === 0 ? 'main' : 'plain'} onClick={() => setDialog('app')}>
              {hasApp ? 'Change the authenticator app' : 'Set up an authenticator app'}
            </Button>
            {state.passkeysPossible && hasPasskeys() && (
              <Button look="plain" pending={passkey.isPending} onClick={() => passkey.mutate()}>
                Add a passkey
              </Button>
            )}
          </p>
          {!state.passkeysPossible && (
            <p className={styles.aside}>Passkeys need an address with https and a name, which this service has not.</p>
          )}
        </>
      )}
      <AuthenticatorDialog opened={dialog === 'app'} onClose={() => setDialog(null)} onDone={added} />
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          setCodes([]);
          onDone?.();
        }}
      />
      <Confirm
        opened={going !== null}
        title="Remove this second factor?"
        action="Remove"
        onConfirm={() => {
          setDialog(null);
          if (going) removal.mutate(going.id);
        }}
        onCancel={() => setDialog(null)}
      >
        <p>
          <strong>{going?.name}</strong> will not be asked for any more.
          {factors.length === 1 && ' It is your last one: your password alone will be enough, and recovery codes end.'}
        </p>
      </Confirm>
      <Confirm
        opened={dialog === 'renew'}
        title="Make new recovery codes?"
        action="Make new ones"
        harmless
        onConfirm={() => {
          setDialog(null);
          renewal.mutate();
        }}
        onCancel={() => setDialog(null)}
      >
        <p>Those that you have kept will not work any more.</p>
      </Confirm>
    </Section>
  );
}
