import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type Collection, saveCollection } from '#web/api/collections.ts';
import { Button } from '#web/ui/Button.tsx';
import { ChooseOne, ChooseSome } from '#web/ui/Choices.tsx';
import { DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Collections.module.css';
import { useHasCollections } from './plan.tsx';
import { useCollections } from './use-collections.ts';
import { whoSees, words } from './words.ts';

const accesses = ['everyone', 'restricted'] as const;

/** Name and access of a collection that is there, or of a new one. Mount it anew (`key`) for another one. */
export function CollectionForm({
  collection,
  onSaved,
  onCancel,
}: {
  collection: Collection | null;
  onSaved: (collectionId: string) => void;
  /** Given where it stands in a dialog. */
  onCancel?: () => void;
}) {
  const { people, groups, isPending: isWaiting, error: notLoaded, retry } = useCollections();
  const [name, setName] = useState(collection?.name ?? '');
  const [access, setAccess] = useState<Collection['access']>(collection?.access ?? 'restricted');
  const [userIds, setUserIds] = useState(collection?.userIds ?? []);
  const [groupIds, setGroupIds] = useState(collection?.groupIds ?? []);
  // Without the plan nobody more can be let in, and nothing more kept from anyone.
  const isUnlocked = useHasCollections();
  const [isNameless, setIsNameless] = useState(false);
  const saving = useMutation({ ...saveCollection, onSuccess: ({ collectionId }) => onSaved(collectionId) });
  const members = people
    .filter(({ role, state }) => role === 'member' && state === 'active')
    .filter(({ uid }) => isUnlocked || collection?.userIds?.includes(uid));
  const offered = groups.filter(({ groupId }) => isUnlocked || collection?.groupIds?.includes(groupId));
  const choices = isUnlocked || collection?.access === 'restricted' ? accesses : (['everyone'] as const);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsNameless(name.trim() === '');
    if (saving.isPending || name.trim() === '') return;
    const input = { name, access, userIds, groupIds };
    saving.mutate(collection ? { ...input, collectionId: collection.collectionId } : input);
  };
  const save = (
    <Button type="submit" pending={saving.isPending}>
      {saving.isPending ? words.saving : words.save}
    </Button>
  );
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Field
        label={words.name}
        value={name}
        maxLength={80}
        error={isNameless ? words.nameMissing : undefined}
        onChange={({ target }) => setName(target.value)}
        data-autofocus={collection === null || undefined}
      />
      <ChooseOne
        legend={words.whoSees}
        choices={choices.map((value) => ({ value, label: words.access[value], hint: words.accessMeans[value] }))}
        value={access}
        onChange={setAccess}
      />
      {access === 'restricted' && notLoaded && (
        <LoadFailed retry={retry}>{messageOf(notLoaded, words.choicesNotLoaded)}</LoadFailed>
      )}
      {access === 'restricted' && !notLoaded && (
        <>
          {isUnlocked && !isWaiting && groups.length === 0 && <p>{words.noGroups}</p>}
          {offered.length > 0 && (
            <ChooseSome
              legend={words.groups}
              choices={offered.map(({ groupId, name }) => ({ value: groupId, label: name }))}
              values={groupIds}
              onChange={setGroupIds}
            />
          )}
          {members.length > 0 && (
            <div className={styles.some}>
              <ChooseSome
                legend={words.people}
                choices={members.map(({ uid, email }) => ({ value: uid, label: email }))}
                values={userIds}
                onChange={setUserIds}
              />
            </div>
          )}
        </>
      )}
      <p className={styles.sentence} role="status">
        {whoSees({ access, userIds, groupIds }, { people, groups })}
      </p>
      {saving.error && <Notice kind="problem">{messageOf(saving.error, words.failed)}</Notice>}
      {onCancel ? (
        <DialogActions flush>
          <Button look="plain" onClick={onCancel}>
            {words.cancel}
          </Button>
          {save}
        </DialogActions>
      ) : (
        <div>{save}</div>
      )}
    </form>
  );
}
