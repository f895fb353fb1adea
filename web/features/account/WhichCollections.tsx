import { useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '#web/api/collections.ts';
import { CollectionsFailed } from '#web/features/collections/CollectionsFailed.tsx';
import { ChooseOne, ChooseSome } from '#web/ui/Choices.tsx';

/**
 * Which collections a program is kept within; nothing where the company has none but its own.
 * @param chosen null: what everyone sees
 */
export function WhichCollections({
  words,
  chosen,
  onChange,
}: {
  words: Record<'sees' | 'seesEveryones' | 'seesChosen' | 'seesChosenHint' | 'collections', string>;
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
}) {
  const { data = [] } = useQuery(collectionsQuery);
  const [company, ...collections] = data;
  if (!company || collections.length === 0) return <CollectionsFailed />;
  return (
    <>
      <ChooseOne
        legend={words.sees}
        choices={[
          { value: 'all', label: words.seesEveryones },
          { value: 'some', label: words.seesChosen, hint: words.seesChosenHint },
        ]}
        value={chosen ? 'some' : 'all'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
      />
      {chosen && (
        <ChooseSome
          legend={words.collections}
          choices={collections.map(({ collectionId, name }) => ({ value: collectionId, label: name }))}
          values={chosen}
          onChange={onChange}
        />
      )}
    </>
  );
}
