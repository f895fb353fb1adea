import type { Interval } from '../world/records.ts';

/**
 * The moment that lies so many intervals after the anchor. Months keep the anchor's day; where a month is too short,
 * its last day (31 January + 1 month = 28 February, + 2 months = 31 March).
 */
export function addIntervals(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * 86_400;
  if (interval === 'week') return anchor + count * 7 * 86_400;
  const from = new Date(anchor * 1000);
  const months = interval === 'year' ? count * 12 : count;
  const target = new Date(from);
  target.setUTCDate(1);
  target.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(target.getTime() / 1000);
}

/** The first renewal day of the anchor that lies after the moment. */
export function nextRenewal(
  anchor: number,
  { interval, count }: { interval: Interval; count: number },
  after: number,
): number {
  for (let n = 1; ; n++) {
    const moment = addIntervals(anchor, interval, n * count);
    if (moment > after) return moment;
  }
}
