import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';

/**
 * What a form has in place of what is saved, and the mutation that saves it. What is typed while that is on its way
 * stays a change.
 * @param saved flat: its values are compared as they are
 */
export function useSavedDraft<Values extends object, Data, Input>(
  saved: Values,
  options: UseMutationOptions<Data, Error, Input>,
) {
  const [changes, setChanges] = useState<Partial<Values>>({});
  const sent = useRef(changes);
  const saving = useMutation({
    ...options,
    onMutate: () => {
      sent.current = changes;
    },
    onSuccess: () => setChanges((now) => changesSince(now, sent.current)),
  });
  const values = { ...saved, ...changes };
  return {
    values,
    saving,
    hasChanges: JSON.stringify(values) !== JSON.stringify(saved),
    change: (more: Partial<Values>) => {
      // Forgotten while it runs, its end would be told to nobody, and it could be sent twice.
      if (!saving.isPending) saving.reset();
      setChanges((before) => ({ ...before, ...more }));
    },
    discard: () => setChanges({}),
  };
}

/** The changes that are not the ones that were sent. */
export function changesSince<Values extends object>(now: Partial<Values>, sent: Partial<Values>): Partial<Values> {
  const left = { ...now };
  for (const key in sent) if (JSON.stringify(left[key]) === JSON.stringify(sent[key])) delete left[key];
  return left;
}
