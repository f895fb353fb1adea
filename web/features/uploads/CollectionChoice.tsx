import { useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '#web/api/collections.ts';
import { CollectionOptions } from '#web/features/collections/CollectionOptions.tsx';
import { CollectionsFailed } from '#web/features/collections/CollectionsFailed.tsx';
import { useHasCollections } from '#web/features/collections/plan.tsx';
import { words } from '#web/features/collections/words.ts';
import { Select } from '#web/ui/Field.tsx';

/** Where what is uploaded goes, once for all of it; nothing where there is no choice. */
export function CollectionChoice({ chosen, onChoose }: { chosen: string; onChoose: (collectionId: string) => void }) {
  const { data: collections = [] } = useQuery(collectionsQuery);
  if (!useHasCollections()) return null;
  if (collections.length < 2) return <CollectionsFailed />;
  return (
    <Select label={words.forUpload} value={chosen} onChange={onChoose}>
      <option value="">{words.asItIs}</option>
      <CollectionOptions collections={collections.slice(1)} />
    </Select>
  );
}
