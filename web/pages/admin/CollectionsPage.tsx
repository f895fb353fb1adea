import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Collection, collectionsQuery, groupsQuery } from '#web/api/collections.ts';
import { teamQuery } from '#web/api/team.ts';
import { CollectionForm } from '#web/features/collections/CollectionForm.tsx';
import list from '#web/features/collections/Collections.module.css';
import { CollectionsLocked, useHasCollections } from '#web/features/collections/plan.tsx';
import { whoSees, words } from '#web/features/collections/words.ts';
import { useTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import styles from './Admin.module.css';

/** All collections, each with who sees it. */
export function CollectionsPage() {
  useTitle(words.title);
  const isUnlocked = useHasCollections();
  const navigate = useNavigate();
  const { data: collections = [], isPending } = useQuery(collectionsQuery);
  const { data: people = [] } = useQuery(teamQuery);
  const { data: groups = [] } = useQuery(groupsQuery);
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
      <div className={list.list}>
        <DataTable
          label={words.all}
          columns={columns}
          rows={collections}
          rowKey={idOf}
          instead={isPending ? words.loading : ''}
        />
      </div>
      {isNew && (
        <Dialog opened onClose={() => setIsNew(false)} title={words.add}>
          <CollectionForm
            collection={null}
            onSaved={(collectionId) => void navigate(`/admin/collections/${collectionId}`)}
          />
        </Dialog>
      )}
    </>
  );
}

const idOf = ({ collectionId }: Collection) => collectionId;
