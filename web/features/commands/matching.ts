/** Something that can be gone to or done. */
export interface Command {
  /** Different for each. */
  key: string;
  group: 'Actions' | 'Pages' | 'Documents' | 'Questions';
  label: string;
  run: () => void;
}

/** How many of each group are shown: beyond that a further letter is quicker than scrolling. */
const mostOfGroup = 6;

/**
 * The commands whose label has every word that was typed, whatever its case and accents; those that begin with the
 * first word come first within their group.
 */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const counts = new Map<Command['group'], number>();
  return commands
    .map((command) => ({ command, label: folded(command.label) }))
    .filter(({ label }) => words.every((word) => label.includes(word)))
    .toSorted(
      (a, b) =>
        groups.indexOf(a.command.group) - groups.indexOf(b.command.group) ||
        Number(b.label.startsWith(first)) - Number(a.label.startsWith(first)),
    )
    .map(({ command }) => command)
    .filter(({ group }) => {
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return count <= mostOfGroup;
    });
}

const groups: readonly Command['group'][] = ['Actions', 'Pages', 'Documents', 'Questions'];

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
