import { useState } from 'react';

/**
 * What a form has in place of what is saved.
 * @param saved flat: its values are compared as they are
 */
export function useDraft<Values extends object>(saved: Values) {
  const [changes, setChanges] = useState<Partial<Values>>({});
  const values = { ...saved, ...changes };
  const hasChanges = JSON.stringify(values) !== JSON.stringify(saved);
  return {
    values,
    hasChanges,
    change: (more: Partial<Values>) => setChanges((before) => ({ ...before, ...more })),
    discard: () => setChanges({}),
  };
}
