import { type CompanyFile, collectionOf } from '#web/api/company-files.ts';
import { words } from './words.ts';

/** What the table of all files is narrowed to. */
export interface Wanted {
  /** Stands in the name, however it is capitalised. */
  text: string;
  /** Has this tag; empty: any. */
  tag: string;
  state: StateGroup | 'all';
  /** Is in this collection; empty: any. */
  collection: string;
}

/** States as an admin asks for them. */
export const stateGroups = ['ready', 'reading', 'uploading', 'partial', 'failed'] as const;
export type StateGroup = (typeof stateGroups)[number];

/** Narrowed to nothing. */
export const everything: Wanted = { text: '', tag: '', state: 'all', collection: '' };

/** What a link to the table asks for: `?state=failed`, `?collection=<id>`. */
export function wantedIn(search: string): Wanted {
  const asked = new URLSearchParams(search);
  const state = stateGroups.find((group) => group === asked.get('state')) ?? 'all';
  return { ...everything, state, collection: asked.get('collection') ?? '' };
}

export interface Order {
  by: 'name' | 'size' | 'uploadedAt';
  down: boolean;
}

/**
 * The files that are wanted, in the order asked for.
 *
 * @param files sorted by name
 */
export function pickFiles(
  files: readonly CompanyFile[],
  { text, tag, state, collection }: Wanted,
  { by, down }: Order,
): readonly CompanyFile[] {
  const words = text.trim().toLocaleLowerCase();
  const found = files.filter(
    (file) =>
      (state === 'all' || groupOf(file) === state) &&
      (collection === '' || collectionOf(file) === collection) &&
      (tag === '' || file.tags?.includes(tag)) &&
      (words === '' || file.name.toLocaleLowerCase().includes(words)),
  );
  if (by === 'size') found.sort((a, b) => a.size - b.size);
  if (by === 'uploadedAt') found.sort((a, b) => (a.uploadedAt < b.uploadedAt ? -1 : 1));
  return down ? found.reverse() : found;
}

/** Says what there is none of, where nothing is left: "Nothing failed." */
export function whyNone({ text, tag, state, collection }: Wanted): string {
  if (collection !== '') return words.nothing.both;
  const isNamed = text.trim() !== '';
  if ([isNamed, tag !== '', state !== 'all'].filter(Boolean).length > 1) return words.nothing.both;
  if (tag !== '') return words.nothing.tagged(tag);
  return state === 'all' ? words.nothing.named : words.nothing[state];
}

/** How many files are in each group. */
export function countStates(files: readonly CompanyFile[]): Record<StateGroup, number> {
  const counts = { ready: 0, reading: 0, uploading: 0, partial: 0, failed: 0 };
  for (const file of files) counts[groupOf(file)]++;
  return counts;
}

function groupOf({ state }: CompanyFile): StateGroup {
  return state === 'queued' || state === 'processing' ? 'reading' : state;
}
