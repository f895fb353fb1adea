/**
 * What an event was about, in a line: what it was done to, then what was changed. Ids are left out: they say nothing to
 * whoever reads, and stand in the details.
 */
export function aboutOf(target: string | null, details: Record<string, unknown>): string {
  const { before, after, from, to, ...others } = details;
  const parts = [
    target ?? '',
    ...changes(before, after),
    ...(from !== undefined && to !== undefined ? [`${shown(from)} → ${shown(to)}`] : []),
    ...Object.entries(others)
      .filter(([key, value]) => !key.endsWith('Id') && value !== null && value !== '')
      .map(([key, value]) => `${words(key)}: ${shown(value)}`),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function changes(before: unknown, after: unknown): string[] {
  if (after === undefined) return before === undefined ? [] : [`before ${shown(before)}`];
  if (!isRecord(before) || !isRecord(after)) return [`${shown(before)} → ${shown(after)}`];
  return Object.keys(after)
    .filter((key) => shown(before[key]) !== shown(after[key]))
    .map((key) => `${words(key)}: ${shown(before[key])} → ${shown(after[key])}`);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `showNames` as a person would write it. */
function words(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
