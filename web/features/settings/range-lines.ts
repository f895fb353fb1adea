import type { AllowedAddresses } from '#web/api/allowed-addresses.ts';

type Range = AllowedAddresses['ranges'][number];

/** A list as it is typed: a range and its note on each line. */
export function linesOf(ranges: readonly Range[]): string {
  return ranges.map(({ range, note }) => `${range} ${note}`.trimEnd()).join('\n');
}

/** What stands on the lines; empty ones mean nothing. What is no range is for the server to say. */
export function rangesIn(text: string): Range[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [range = '', ...note] = line.split(/[\s,;]+/);
      return { range, note: note.join(' ') };
    });
}
