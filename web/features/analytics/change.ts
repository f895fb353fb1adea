/**
 * How a number differs from the one before it, in words: `12 % more`, `the same`, `none before`.
 * @returns null where there is nothing to compare
 */
export function changeText(now: number, before: number, locale?: string): string | null {
  if (before === 0) return now === 0 ? null : 'none before';
  if (now === before) return 'the same';
  const share = Math.abs(now - before) / before;
  // Three times and more are told as such: "400 % more" has to be worked out.
  if (share >= 2 && now > before) {
    const times = new Intl.NumberFormat(locale, { maximumFractionDigits: now / before < 10 ? 1 : 0 });
    return `${times.format(now / before)} times as many`;
  }
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: share < 0.01 ? 1 : 0 });
  return `${percent.format(share)} ${now > before ? 'more' : 'fewer'}`;
}

/** A time as people say it: `0.4 s`, `12 s`. */
export function formatMs(ms: number, locale?: string): string {
  const seconds = ms / 1000;
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(locale, { ...unit, maximumSignificantDigits: 2 }).format(seconds);
}
