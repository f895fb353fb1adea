import { type ReactNode, useEffect, useId } from 'react';
import { useStore } from '#web/lib/store.ts';
import { heldLeaving, holdLeaving } from '#web/lib/unsaved.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { words } from './words.ts';

/**
 * Asks before the page is left while something in this form is not saved, once for all forms of the page. Returns the
 * question, to be drawn.
 */
export function useUnsaved(hasChanges: boolean): ReactNode {
  const form = useId();
  useEffect(() => (hasChanges ? holdLeaving(form) : undefined), [hasChanges, form]);
  const leaving = useStore(heldLeaving);
  return (
    <Confirm
      opened={leaving?.askedBy === form}
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
