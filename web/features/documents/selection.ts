import { useState } from 'react';
import type { CompanyFile } from '#web/api/company-files.ts';

export interface Selection {
  /** Ids of documents. */
  ids: ReadonlySet<string>;
  /** Where a range begins: the one that was pressed last. */
  anchor: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/** An upload under way is no document yet. */
export function isSelectable({ state }: CompanyFile): boolean {
  return state !== 'uploading';
}

/**
 * @param shown the rows in their order
 * @param isRange all from the one pressed before to this one become as this one; where that one is not shown, this
 * alone
 */
export function withRow(
  { ids, anchor }: Selection,
  { shown, id, selected, isRange }: { shown: readonly CompanyFile[]; id: string; selected: boolean; isRange: boolean },
): Selection {
  const from = isRange ? shown.findIndex((file) => file.id === anchor) : -1;
  const to = shown.findIndex((file) => file.id === id);
  const range = from < 0 || to < 0 ? [] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(ids);
  for (const each of [id, ...range.filter(isSelectable).map((file) => file.id)]) {
    if (selected) next.add(each);
    else next.delete(each);
  }
  return { ids: next, anchor: id };
}

/** Selects all that are shown, or none of them; what is not shown stays as it is. */
export function withAll({ ids, anchor }: Selection, shown: readonly CompanyFile[], selected: boolean): Selection {
  const next = new Set(ids);
  for (const { id } of shown.filter(isSelectable)) {
    if (selected) next.add(id);
    else next.delete(id);
  }
  return { ids: next, anchor };
}

/** How many of the rows that are shown are selected. */
export function stateOfAll(ids: ReadonlySet<string>, shown: readonly CompanyFile[]): 'all' | 'some' | 'none' {
  const can = shown.filter(isSelectable);
  const count = can.filter(({ id }) => ids.has(id)).length;
  if (count === 0) return 'none';
  return count === can.length ? 'all' : 'some';
}

/** The selection, and the files that are selected and still there. */
export function useSelection(files: readonly CompanyFile[]) {
  const [selection, change] = useState(nothingSelected);
  const selected = selection.ids.size === 0 ? [] : files.filter((file) => selection.ids.has(file.id));
  return { selection, selected, change };
}
