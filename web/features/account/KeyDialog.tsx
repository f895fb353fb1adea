import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type ApiKeyKind,
  type ApiKeyScope,
  apiKeyScopes,
  maxKeyDays,
  maxKeyName,
  usualKeyDays,
} from '#contract/api-keys.ts';
import { type Role, roles } from '#contract/permissions.ts';
import { createApiKey } from '#web/api/api-keys.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { useSession } from '#web/api/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { ChooseOne } from '#web/ui/Choices.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Account.module.css';
import { words } from './key-words.ts';
import { WhichCollections } from './WhichCollections.tsx';

const ends = ['30', String(usualKeyDays), String(maxKeyDays), 'never'] as const;
type Ends = (typeof ends)[number];

interface KeyDialogProps {
  kind: ApiKeyKind;
  opened: boolean;
  onClose: () => void;
  onMade: (key: string) => void;
}

/** Asks what a new key is for. */
export function KeyDialog({ kind, opened, onClose, onMade }: KeyDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.create}>
      <KeyForm kind={kind} onClose={onClose} onMade={onMade} />
    </Dialog>
  );
}

/** Begins anew with each opening, since a dialog that is closed has no content. */
function KeyForm({ kind, onClose, onMade }: Omit<KeyDialogProps, 'opened'>) {
  const session = useSession();
  const isAdmin = session.state === 'signed-in' && session.session.user.role === 'admin';
  const [name, setName] = useState('');
  const [isNameless, setIsNameless] = useState(false);
  const [scope, setScope] = useState<ApiKeyScope>('read');
  const [role, setRole] = useState<Role>('member');
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [end, setEnd] = useState<Ends>(String(usualKeyDays));
  const making = useMutation({ ...createApiKey, onSuccess: ({ key }) => onMade(key) });
  const isCompanys = kind === 'company';
  // Whoever does not give their password after all has not failed at anything.
  const failed = making.error && !isCancelled(making.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsNameless(name.trim() === '');
    if (making.isPending || name.trim() === '') return;
    making.mutate({
      ...{ name, kind, scope, expiresInDays: end === 'never' ? null : Number(end) },
      ...(isCompanys && { role }),
      ...(isCompanys && role === 'member' && chosen && { collectionIds: [...chosen] }),
    });
  };
  return (
    <form className={styles.setUp} noValidate onSubmit={submit}>
      <Field
        label={words.name}
        hint={words.nameHint}
        value={name}
        maxLength={maxKeyName}
        autoComplete="off"
        error={isNameless ? words.nameMissing : undefined}
        onChange={({ target }) => setName(target.value)}
        data-autofocus
      />
      {isCompanys && (
        <ChooseOne
          legend={words.role}
          choices={roles
            .toReversed()
            .map((value) => ({ value, label: words.roles[value], hint: words.rolesMean[value] }))}
          value={role}
          onChange={setRole}
        />
      )}
      {isCompanys && role === 'member' && <WhichCollections words={words} chosen={chosen} onChange={setChosen} />}
      <ChooseOne
        legend={words.scope}
        choices={apiKeyScopes.map((value) => ({ value, label: words.scopes[value], hint: words.scopesMean[value] }))}
        value={scope}
        onChange={setScope}
      />
      <ChooseOne
        legend={words.ends}
        choices={ends.filter((value) => isAdmin || value !== 'never').map(endChoice)}
        value={end}
        onChange={setEnd}
      />
      {failed && <Notice kind="problem">{messageOf(making.error, words.failed)}</Notice>}
      <DialogActions flush>
        <Button look="plain" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" pending={making.isPending}>
          {words.create}
        </Button>
      </DialogActions>
    </form>
  );
}

function endChoice(value: Ends): { value: Ends; label: string; hint?: string } {
  if (value === 'never') return { value, label: words.never, hint: words.neverHint };
  return { value, label: Number(value) === maxKeyDays ? words.afterYear : words.after(Number(value)) };
}
