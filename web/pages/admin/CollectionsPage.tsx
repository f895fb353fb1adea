import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { messageOf } from '#web/api/call.ts';
import type { Collection } from '#web/api/collections.ts';
import { CollectionForm } from '#web/features/collections/CollectionForm.tsx';
import list from '#web/features/collections/Collections.module.css';
import { notices } from '#web/features/collections/notices.ts';
import { CollectionsLocked, useHasCollections } from '#web/features/collections/plan.tsx';
import { useCollections } from '#web/features/collections/use-collections.ts';
import { whoSees, words } from '#web/features/collections/words.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import styles from './Admin.module.css';

/** All collections, each with who sees it. */
export function CollectionsPage() {
  useTitle(words.title);
  const isUnlocked = useHasCollections();
  const navigate = useNavigate();
  const { collections, people, groups, isPending, error, retry } = useCollections();
  const [isNew, setIsNew] = useState(false);
  const columns = [
    {
      title: words.name,
      cell: (collection: Collection) => (
        <>
          <Link to={`/admin/collections/${collection.collectionId}`}>
            <bdi>{collection.name}</bdi>
          </Link>
          <br />
          <small className={list.who}>{whoSees(collection, { people, groups })}</small>
        </>
      ),
    },
    {
      title: words.documents,
      width: '140px',
      end: true,
      cell: ({ documents }: Collection) => words.count(documents),
    },
  ];
  return (
    <>
      <header className={styles.top}>
        <div className={styles.welcome}>
          <h1 className={styles.heading}>{words.title}</h1>
          <p className={styles.sub}>{words.sub}</p>
        </div>
        {isUnlocked && <Button onClick={() => setIsNew(true)}>{words.add}</Button>}
      </header>
      <CollectionsLocked areThere={collections.length > 1} />
      {error ? (
        <LoadFailed retry={retry}>{messageOf(error, notices.notLoaded)}</LoadFailed>
      ) : (
        <div className={list.list}>
          <DataTable
            label={words.all}
            columns={columns}
            rows={isPending ? [] : collections}
            rowKey={idOf}
            loading={isPending ? words.loading : undefined}
            instead=""
          />
        </div>
      )}
      {isNew && (
        <Dialog opened onClose={() => setIsNew(false)} title={words.add}>
          <CollectionForm
            collection={null}
            onCancel={() => setIsNew(false)}
            onSaved={(collectionId) => void navigate(`/admin/collections/${collectionId}`)}
          />
        </Dialog>
      )}
    </>
  );
}

const idOf = ({ collectionId }: Collection) => collectionId;
