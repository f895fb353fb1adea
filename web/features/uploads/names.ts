/**
 * Whether each of the chosen names is taken: by a file that is there, or by one that comes before it in the same
 * selection.
 */
export function takenNames(chosen: readonly string[], existing: Iterable<string>): boolean[] {
  const names = new Set(Array.from(existing, comparable));
  return chosen.map((name) => {
    const taken = names.has(comparable(name));
    names.add(comparable(name));
    return taken;
  });
}

/** Names that mean the same file compare equal, however their accents are written. */
export function comparable(name: string): string {
  return name.normalize('NFC');
}

/** The name of a chosen or dropped file. One from a dropped folder keeps where it came from: `folder › readme.pdf`. */
export function nameOf(file: File & { path?: string }): string {
  const path = file.path || file.webkitRelativePath || file.name;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length > 1 ? parts.join(' › ') : file.name;
}
