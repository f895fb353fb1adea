import type { CompanyFile } from '#web/api/company-files.ts';

/** What the table of all files is narrowed to. */
export interface Wanted {
  /** Stands in the name, a tag or the e-mail of who uploaded it, however it is capitalised. */
  text: string;
  state: StateGroup | 'all';
}

/** States as an admin asks for them. */
export const stateGroups = {
  ready: 'Ready',
  reading: 'Being read',
  uploading: 'Uploading',
  partial: 'Partly readable',
  failed: 'Failed',
} as const;
export type StateGroup = keyof typeof stateGroups;

export interface Order {
  by: 'name' | 'size' | 'uploadedAt';
  down: boolean;
}

/**
 * The files that are wanted, in the order asked for.
 *
 * @param files sorted by name
 * @param emailOf of a person by their uid
 */
export function pickFiles(
  files: readonly CompanyFile[],
  { text, state }: Wanted,
  { by, down }: Order,
  emailOf: (uid: string) => string | undefined,
): readonly CompanyFile[] {
  const words = text.trim().toLocaleLowerCase();
  const has = (value: string | undefined) => value?.toLocaleLowerCase().includes(words) ?? false;
  const found = files.filter(
    (file) =>
      (state === 'all' || groupOf(file) === state) &&
      (words === '' || has(file.name) || file.tags?.some(has) || has(emailOf(file.uploadedBy ?? ''))),
  );
  if (by === 'size') found.sort((a, b) => a.size - b.size);
  if (by === 'uploadedAt') found.sort((a, b) => (a.uploadedAt < b.uploadedAt ? -1 : 1));
  return down ? found.reverse() : found;
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
