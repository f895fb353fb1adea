/** Days from one to another, both counted, as `2026-11-22`. */
export interface Days {
  from: string;
  to: string;
}

/** Ranges that end today. */
export const presets = [7, 30, 90] as const;
export type Preset = (typeof presets)[number];
const usual: Preset = 30;
const dayMs = 86_400_000;

/** What the page's address says is looked at: `?days=7`, `?from=…&to=…`, `?person=…`, `?collection=…`. */
export interface Looked {
  days: Days;
  /** Null: dates of one's own. */
  preset: Preset | null;
  userId: string | undefined;
  collectionId: string | undefined;
}

export function lookedAt(search: URLSearchParams, today: string): Looked {
  const of = { userId: search.get('person') ?? undefined, collectionId: search.get('collection') ?? undefined };
  const [from, to] = [search.get('from'), search.get('to')];
  if (isDay(from) && isDay(to) && from <= to) return { days: { from, to }, preset: null, ...of };
  const preset = presets.find((each) => String(each) === search.get('days')) ?? usual;
  return { days: lastDays(preset, today), preset, ...of };
}

/** So many days up to today. */
export function lastDays(count: number, today: string): Days {
  return { from: dayOf(Date.parse(today) - (count - 1) * dayMs), to: today };
}

/** How many days a range has. */
export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** Today, where the company is. */
export function todayIn(timeZone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
}

/** A day as its reader writes it; it has no zone. */
export function formatDate(day: string, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(new Date(day));
}

/** Whether a field has a whole date that exists. */
export function isDay(text: string | null): text is string {
  return (
    text !== null &&
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    dayOf(Date.parse(text)) === text
  );
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
