/** Something that can be gone to or done. */
export interface Command {
  /** Different for each. */
  key: string;
  group: 'Actions' | 'Pages' | 'Documents' | 'Questions';
  label: string;
  run: () => void;
}

/** How many of each group are shown: beyond that a further letter is quicker than scrolling. */
const maxOfGroup = 6;

/**
 * The commands whose label has every word that was typed, whatever its case and accents. What is called just so comes
 * first of all, and what begins with the first word first within its group.
 */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  const [first = ''] = words;
  const counts = new Map<Command['group'], number>();
  return commands
    .map((command) => ({ command, label: folded(command.label) }))
    .filter(({ label }) => words.every((word) => label.includes(word)))
    .toSorted(
      (a, b) =>
        Number(b.label === whole) - Number(a.label === whole) ||
        groups.indexOf(a.command.group) - groups.indexOf(b.command.group) ||
        Number(b.label.startsWith(first)) - Number(a.label.startsWith(first)),
    )
    .map(({ command }) => command)
    .filter(({ group }) => {
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return count <= maxOfGroup;
    });
}

const groups: readonly Command['group'][] = ['Actions', 'Pages', 'Documents', 'Questions'];

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
