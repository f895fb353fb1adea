import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { deleteGroup, type Group, groupsQuery, saveGroup } from '#web/api/collections.ts';
import { type Person, teamQuery } from '#web/api/team.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { ChooseSome } from '#web/ui/Choices.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Collections.module.css';
import { CollectionsLocked, useHasCollections } from './plan.tsx';
import { words } from './words.ts';

/**
 * Groups of people, for whom collections can be restricted.
 * @param waits what stands above it is still on its way: told by what draws that, since asked here it could be known in
 * a drawing before, and what comes would push this down
 */
export function GroupsSection({ waits }: { waits: boolean }) {
  const isUnlocked = useHasCollections();
  const { data: groups = [], isPending, isLoadingError, error, refetch } = useQuery(groupsQuery);
  const [edited, setEdited] = useState<Group | 'new' | null>(null);
  const [doomed, setDoomed] = useState<Group | null>(null);
  const removal = useMutation({
    ...deleteGroup,
    onSuccess: () => setDoomed(null),
    onError: (error) => showAlert('problem', messageOf(error, words.failed)),
  });
  const columns = [
    {
      title: words.group,
      cell: ({ name, userIds }: Group) => (
        <>
          <div className={styles.name}>
            <bdi>{name}</bdi>
          </div>
          <small className={styles.who}>{words.members(userIds.length)}</small>
        </>
      ),
    },
    {
      title: words.actions,
      width: '160px',
      end: true,
      cell: (group: Group) => (
        <RowActions>
          <RowAction label={words.editGroup(group.name)} onClick={() => setEdited(group)}>
            {words.edit}
          </RowAction>
          <RowAction danger label={words.deleteGroup(group.name)} onClick={() => setDoomed(group)}>
            {words.delete}
          </RowAction>
        </RowActions>
      ),
    },
  ];
  if (isPending || waits) return null;
  if (isLoadingError)
    return (
      <Section heading={words.groups}>
        <LoadFailed retry={refetch}>{messageOf(error, words.groupsNotLoaded)}</LoadFailed>
      </Section>
    );
  return (
    <Section
      heading={words.groups}
      tool={
        isUnlocked && (
          <Button compact look="plain" onClick={() => setEdited('new')}>
            {words.newGroup}
          </Button>
        )
      }
    >
      <CollectionsLocked areThere={groups.length > 0} />
      {(isUnlocked || groups.length > 0) && (
        <DataTable label={words.groups} columns={columns} rows={groups} rowKey={idOf} instead={words.noneYet} />
      )}
      {edited && (
        <GroupDialog
          key={edited === 'new' ? 'new' : edited.groupId}
          group={edited === 'new' ? null : edited}
          onDone={() => setEdited(null)}
        />
      )}
      <Confirm
        opened={doomed !== null}
        title={words.deleteGroupTitle}
        action={words.delete}
        pending={removal.isPending}
        onConfirm={() => doomed && removal.mutate(doomed)}
        onCancel={() => setDoomed(null)}
      >
        <p>
          <strong>
            <bdi>{doomed?.name}</bdi>
          </strong>
        </p>
        <p>{words.deleteGroupMeans}</p>
      </Confirm>
    </Section>
  );
}

const idOf = ({ groupId }: Group) => groupId;

function GroupDialog({ group, onDone }: { group: Group | null; onDone: () => void }) {
  const { data: people = [] } = useQuery(teamQuery);
  const [name, setName] = useState(group?.name ?? '');
  const [userIds, setUserIds] = useState(group?.userIds ?? []);
  const isUnlocked = useHasCollections();
  const [isNameless, setIsNameless] = useState(false);
  const saving = useMutation({ ...saveGroup, onSuccess: onDone });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setIsNameless(name.trim() === '');
    if (saving.isPending || name.trim() === '') return;
    saving.mutate(group ? { groupId: group.groupId, name, userIds } : { name, userIds });
  };
  return (
    <Dialog opened onClose={onDone} title={group ? words.editGroup(group.name) : words.newGroup}>
      <form className={styles.form} noValidate onSubmit={save}>
        <Field
          label={words.name}
          value={name}
          error={isNameless ? words.nameMissing : undefined}
          onChange={({ target }) => setName(target.value)}
          data-autofocus
        />
        <div className={styles.some}>
          <ChooseSome
            legend={words.people}
            choices={people
              .filter(isIn)
              .filter(({ uid }) => isUnlocked || group?.userIds.includes(uid))
              .map(({ uid, email }) => ({ value: uid, label: email }))}
            values={userIds}
            onChange={setUserIds}
          />
        </div>
        {saving.error && <Notice kind="problem">{messageOf(saving.error, words.failed)}</Notice>}
        <DialogActions flush>
          <Button look="plain" onClick={onDone}>
            {words.cancel}
          </Button>
          <Button type="submit" pending={saving.isPending}>
            {saving.isPending ? words.saving : words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const isIn = ({ state }: Person) => state === 'active';
