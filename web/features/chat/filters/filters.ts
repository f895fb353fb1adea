import type { Filters as WireFilters } from '#contract/calls/answers.ts';

/** Where answers are looked for: in the documents that fit all that is set. */
export interface Filters {
  documentIds: readonly string[];
  /** At least one of them. */
  tags: readonly string[];
  /** Uploaded from this day on to this day, in the reader's own time zone (`2026-11-21`); empty: any. */
  from: string;
  to: string;
}

export const noFilters: Filters = { documentIds: [], tags: [], from: '', to: '' };

/** What a store of the browser holds may have been written by anybody: what is no filter is left out. */
export function readFilters(value: unknown): Filters {
  const { documentIds, tags, from, to }: Partial<Record<keyof Filters, unknown>> = Object(value);
  const texts = (each: unknown) => (Array.isArray(each) ? each.filter((text) => typeof text === 'string') : []);
  const day = (each: unknown) => (startOf(String(each), 0) === null ? '' : String(each));
  return { documentIds: texts(documentIds), tags: texts(tags), from: day(from), to: day(to) };
}

/** How many things are set. */
export function countOf({ documentIds, tags, from, to }: Filters): number {
  return documentIds.length + tags.length + (from === '' && to === '' ? 0 : 1);
}

/** As the calls take them: nothing at all where nothing is set, since any filter needs a plan that has them. */
export function wireFilters({ documentIds, tags, from, to }: Filters): { filters?: WireFilters } {
  const after = startOf(from, 0);
  const before = startOf(to, 1);
  const filters = {
    ...(documentIds.length > 0 ? { documentIds: [...documentIds] } : {}),
    ...(tags.length > 0 ? { tags: [...tags] } : {}),
    ...(after ? { uploadedAfter: after } : {}),
    ...(before ? { uploadedBefore: before } : {}),
  };
  return Object.keys(filters).length > 0 ? { filters } : {};
}

/** The moment at which a day begins here, or one of the days after it; null for what is no day. */
function startOf(day: string, daysLater: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return null;
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
