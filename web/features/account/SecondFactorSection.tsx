import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AccountSecurity,
  addPasskey,
  reloadAccountSecurity,
  removeSecondFactor,
  renewRecoveryCodes,
} from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { hasPasskeys, PasskeyRefused } from '#web/lib/passkeys.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Account.module.css';
import { AuthenticatorDialog } from './AuthenticatorDialog.tsx';
import { type Factor, FactorList } from './FactorList.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { words } from './words.ts';

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
    if (isCancelled(error)) return;
    showAlert('problem', messageOf(error, fallback));
  };
  const added = (fresh: string[]) => {
    setDialog(null);
    setCodes(fresh);
    void reloadAccountSecurity();
    if (fresh.length === 0) showAlert('done', words.askedFromNow);
  };
  const passkey = useMutation({
    ...addPasskey,
    onSuccess: ({ recoveryCodes }) => added(recoveryCodes),
    onError: (error) =>
      error instanceof PasskeyRefused
        ? showAlert('problem', words.noPasskeyMade)
        : failed(error, words.passkeyNotAdded),
  });
  const removal = useMutation({
    ...removeSecondFactor,
    onSuccess: () => showAlert('done', words.removed),
    onError: (error) => failed(error, words.notRemoved),
    onSettled: () => void reloadAccountSecurity(),
  });
  const renewal = useMutation({
    ...renewRecoveryCodes,
    onSuccess: ({ recoveryCodes }) => added(recoveryCodes),
    onError: (error) => failed(error, words.codesNotMade),
  });
  const going = typeof dialog === 'object' ? dialog : null;
  const hasApp = factors.some(({ kind }) => kind === 'totp');

  return (
    <Section heading={words.secondFactor}>
      {!state.isPossible ? (
        <p className={styles.lead}>{words.keptElsewhere}</p>
      ) : (
        <>
          <p className={styles.lead}>{factors.length === 0 ? words.withOne : words.takesOneOfThese}</p>
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
              {hasApp ? words.changeApp : words.setUpApp}
            </Button>
            {state.passkeysPossible && hasPasskeys() && (
              <Button look="plain" pending={passkey.isPending} onClick={() => passkey.mutate()}>
                {words.addPasskey}
              </Button>
            )}
          </p>
          {!state.passkeysPossible && <p className={styles.aside}>{words.noPasskeys}</p>}
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
        title={words.removeTitle}
        action={words.remove}
        onConfirm={() => {
          setDialog(null);
          if (going) removal.mutate(going.id);
        }}
        onCancel={() => setDialog(null)}
      >
        <p>
          <strong>{going?.name}</strong> {words.notAskedAnyMore}
          {factors.length === 1 && words.lastOne}
        </p>
      </Confirm>
      <Confirm
        opened={dialog === 'renew'}
        title={words.renewTitle}
        action={words.makeNew}
        harmless
        onConfirm={() => {
          setDialog(null);
          renewal.mutate();
        }}
        onCancel={() => setDialog(null)}
      >
        <p>{words.oldCodesEnd}</p>
      </Confirm>
    </Section>
  );
}
