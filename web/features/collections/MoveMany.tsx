import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { collectionsQuery } from '#web/api/collections.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/Field.tsx';
import { CollectionOptions } from './CollectionOptions.tsx';
import { useTargets } from './plan.tsx';
import { words } from './words.ts';

/** The window in which one says where documents are moved to. */
export function MoveMany({
  from,
  onMove,
  onCancel,
}: {
  /** The collection of each document. */
  from: readonly string[];
  onMove: (collectionId: string) => void;
  onCancel: () => void;
}) {
  const { data = [] } = useQuery(collectionsQuery);
  const targets = useTargets(data);
  // Where all of them are already nothing would be moved.
  const others = targets.filter(({ collectionId }) => from.some((each) => each !== collectionId));
  const collections = others.length > 0 ? others : targets;
  const [chosen, setChosen] = useState('');
  const collectionId = chosen || collections[0]?.collectionId;
  const move = (event: FormEvent) => {
    event.preventDefault();
    if (collectionId !== undefined) onMove(collectionId);
  };
  return (
    <Dialog opened onClose={onCancel} title={words.moveManyTitle(from.length)}>
      <form noValidate onSubmit={move}>
        <Select label={words.moveInto} value={collectionId ?? ''} onChange={setChosen}>
          <CollectionOptions collections={collections} />
        </Select>
        <DialogActions>
          <Button look="plain" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit">{words.moveMany}</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
