import { comparable, keepBothName } from '#web/lib/file-name.ts';

/** What to do with a file whose name is taken. */
export type Choice = 'replace' | 'keep-both';

export interface PlannedName {
  /** The name it is uploaded under. */
  name: string;
  /** Whether a file of its own name is there already, or comes before it in the same selection. */
  taken: boolean;
  /** Taken, and nobody has said what to do. */
  undecided: boolean;
}

/** The names that chosen files will get, in their order. */
export function planNames(
  chosen: readonly { name: string; choice: Choice | null }[],
  existing: Iterable<string>,
): PlannedName[] {
  const names = new Set(Array.from(existing, comparable));
  return chosen.map(({ name, choice }) => {
    const taken = names.has(comparable(name));
    const planned = taken && choice === 'keep-both' ? keepBothName(name, names) : name;
    names.add(comparable(planned));
    return { name: planned, taken, undecided: taken && choice === null };
  });
}

/** The name of a chosen or dropped file. One from a dropped folder keeps where it came from: `folder › readme.pdf`. */
export function nameOf(file: File & { path?: string }): string {
  const path = file.path || file.webkitRelativePath || file.name;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length > 1 ? parts.join(' › ') : file.name;
}
