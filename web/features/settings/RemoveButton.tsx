import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';

/** Takes a setting away, once the question that it asks first is answered. */
export function RemoveButton({
  removing,
  words,
}: {
  removing: { isPending: boolean; mutate(input: null, options: { onSettled(): void }): void };
  words: { remove: string; removeTitle: string; removeText: string };
}) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button look="danger-quiet" type="button" onClick={() => setAsked(true)}>
        {words.remove}
      </Button>
      <Confirm
        opened={asked}
        title={words.removeTitle}
        action={words.remove}
        pending={removing.isPending}
        onConfirm={() => removing.mutate(null, { onSettled: () => setAsked(false) })}
        onCancel={() => setAsked(false)}
      >
        <p>{words.removeText}</p>
      </Confirm>
    </>
  );
}
