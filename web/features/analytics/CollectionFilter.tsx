import { useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '#web/api/collections.ts';
import { CollectionOptions } from '#web/features/collections/CollectionOptions.tsx';
import { CollectionsFailed } from '#web/features/collections/CollectionsFailed.tsx';
import control from '#web/ui/control.module.css';
import styles from './Analytics.module.css';
import { words } from './words.ts';

/** Which collection the page is about, where there is more than one. */
export function CollectionFilter({
  chosen,
  onChoose,
}: {
  /** Empty: all of them. */
  chosen: string;
  onChoose: (collectionId: string) => void;
}) {
  const { data: collections = [] } = useQuery(collectionsQuery);
  if (collections.length < 2) return <CollectionsFailed />;
  return (
    <div className={styles.collection}>
      <label>
        {words.collection}
        <select className={control.field} value={chosen} onChange={({ target }) => onChoose(target.value)}>
          <option value="">{words.allCollections}</option>
          <CollectionOptions collections={collections} />
        </select>
      </label>
      {chosen !== '' && <p>{words.collectionMeans}</p>}
    </div>
  );
}
