const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as its reader writes it: `1.2 MB`, `812 kB`. */
export function formatBytes(bytes: number, locale?: string): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit],
    // The short form of a byte has no plural: "656 byte".
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}

/** A moment as its reader writes it; near ones by the day: `today, 09:14`. */
export function formatMoment(iso: string, now = new Date(), locale?: string): string {
  const moment = new Date(iso);
  const days = Math.round((startOfDay(moment) - startOfDay(now)) / 86_400_000);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
  if (days > 0 || days < -1) return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(moment);
  return `${days === 0 ? 'today' : 'yesterday'}, ${time}`;
}

/** A moment with its day, however near: `Nov 21, 2027, 9:14 AM`. */
export function formatWhole(iso: string, locale?: string): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A day as its reader writes it: `Nov 21, 2027`. */
export function formatDay(moment: string | Date, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(moment));
}

function startOfDay(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
