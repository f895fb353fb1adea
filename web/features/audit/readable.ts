import { formatBytes, formatWhole } from '#web/lib/format.ts';

/**
 * What an event tells of itself, with its moments and sizes as the reader writes them: it was written down for nobody
 * in particular.
 */
export function readable(how: string, locale?: string): string {
  return how
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => formatWhole(moment, locale))
    .replace(/(?<=(?:^|, )size: )\d+(?=,|$)/g, (bytes) => formatBytes(Number(bytes), locale));
}
