import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { messageOf } from '#web/api/call.ts';
import { type Collection, deleteCollection } from '#web/api/collections.ts';
import { useSession } from '#web/api/session.ts';
import { CollectionForm } from '#web/features/collections/CollectionForm.tsx';
import { CollectionOptions } from '#web/features/collections/CollectionOptions.tsx';
import list from '#web/features/collections/Collections.module.css';
import { notices } from '#web/features/collections/notices.ts';
import { CollectionsLocked, useTargets } from '#web/features/collections/plan.tsx';
import { useCollections } from '#web/features/collections/use-collections.ts';
import { whoSees, words } from '#web/features/collections/words.ts';
import { useTitle } from '#web/lib/title.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Select } from '#web/ui/Field.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import styles from './Admin.module.css';

/** One collection: who sees it, in a sentence, and the way to change that. */
export function CollectionPage() {
  const { collectionId } = useParams();
  const session = useSession();
  const { collections, people, groups, isPending, error, retry } = useCollections();
  const [doomed, setDoomed] = useState<Collection | null>(null);
  // One that is being deleted stays until its page is left, since the list is without it a moment before.
  const there = doomed ? [...collections, doomed] : collections;
  const collection = there.find((each) => each.collectionId === collectionId);
  useTitle(collection?.name ?? words.title);
  const isOwn = session.state === 'signed-in' && collectionId === session.session.company.id;
  if (isPending) return <LoadingPart shape="page" />;
  if (error)
    return (
      <>
        <h1 className={styles.heading}>{words.title}</h1>
        <LoadFailed retry={retry}>{messageOf(error, notices.notLoaded)}</LoadFailed>
      </>
    );
  if (!collection)
    return (
      <>
        <h1 className={styles.heading}>{words.title}</h1>
        <Notice kind="problem">{words.missing}</Notice>
        <p>
          <Link to="/admin/collections">{words.all}</Link>
        </p>
      </>
    );
  return (
    <>
      <header className={styles.top}>
        <div className={styles.welcome}>
          <h1 className={styles.heading}>
            <bdi>{collection.name}</bdi>
          </h1>
          <p className={styles.sub}>{whoSees(collection, { people, groups })}</p>
          <p className={styles.sub}>
            <Link to={`/admin/documents?collection=${collection.collectionId}`}>
              {words.count(collection.documents)}
            </Link>
            {' · '}
            <Link to="/admin/collections">{words.all}</Link>
          </p>
        </div>
        {!isOwn && (
          <>
            <Button look="danger-quiet" onClick={() => setDoomed(collection)}>
              {words.delete}
            </Button>
            <Removal
              collection={collection}
              opened={doomed?.collectionId === collectionId}
              others={collections}
              onCancel={() => setDoomed(null)}
            />
          </>
        )}
      </header>
      <CollectionsLocked areThere={!isOwn} />
      {isOwn ? (
        <p>{words.ownStays}</p>
      ) : (
        <CollectionForm
          key={collection.collectionId}
          collection={collection}
          onSaved={() => showAlert('done', words.saved)}
        />
      )}
    </>
  );
}

interface RemovalProps {
  collection: Collection;
  opened: boolean;
  others: readonly Collection[];
  onCancel: () => void;
}

function Removal({ collection, opened, others, onCancel }: RemovalProps) {
  const [chosen, setChosen] = useState('');
  const navigate = useNavigate();
  const targets = useTargets(others).filter(({ collectionId }) => collectionId !== collection.collectionId);
  const moveTo = chosen || targets[0]?.collectionId;
  const removal = useMutation({
    ...deleteCollection,
    onSuccess: () => navigate('/admin/collections'),
    onError: (error) => showAlert('problem', messageOf(error, words.failed)),
  });
  return (
    <Confirm
      opened={opened}
      title={words.deleteTitle}
      action={words.delete}
      pending={removal.isPending}
      onConfirm={() => moveTo !== undefined && removal.mutate({ collectionId: collection.collectionId, moveTo })}
      onCancel={onCancel}
    >
      <p>
        <strong>
          <bdi>{collection.name}</bdi>
        </strong>
      </p>
      <p>{words.deleteMeans}</p>
      <div className={list.moveTo}>
        <Select label={words.moveTo} value={moveTo ?? ''} onChange={setChosen}>
          <CollectionOptions collections={targets} />
        </Select>
      </div>
    </Confirm>
  );
}
