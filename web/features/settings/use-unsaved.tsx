import { type ReactNode, useEffect } from 'react';
import { useStore } from '#web/lib/store.ts';
import { heldLeaving, holdLeaving } from '#web/lib/unsaved.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { words } from './words.ts';

/** Asks before the page is left while something on it is not saved. Returns the question, to be drawn. */
export function useUnsaved(hasChanges: boolean): ReactNode {
  useEffect(() => (hasChanges ? holdLeaving() : undefined), [hasChanges]);
  const leaving = useStore(heldLeaving);
  return (
    <Confirm
      opened={leaving !== null}
      title={words.leaveTitle}
      action={words.leave}
      keep={words.stay}
      onConfirm={() => leaving?.go()}
      onCancel={() => heldLeaving.set(null)}
    >
      {words.leaveText}
    </Confirm>
  );
}
