import { useState } from 'react';

/** Columns of the table of all files that a person may do without. */
export const optionalColumns = ['collection', 'tags', 'size', 'uploadedAt'] as const;
export type OptionalColumn = (typeof optionalColumns)[number];

const key = 'footnote.document-columns';

/** The columns that are shown, remembered by the browser. */
export function useColumns(): [readonly OptionalColumn[], (shown: readonly OptionalColumn[]) => void] {
  const [shown, setShown] = useState(() => columnsIn(localStorage.getItem(key)));
  return [
    shown,
    (next) => {
      setShown(next);
      localStorage.setItem(key, next.join(','));
    },
  ];
}

/** @param stored null: nothing was chosen yet, so all are shown; empty: none */
export function columnsIn(stored: string | null): readonly OptionalColumn[] {
  if (stored === null) return optionalColumns;
  const names = stored.split(',');
  return optionalColumns.filter((column) => names.includes(column));
}
