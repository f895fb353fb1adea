/** Round values for the lines of a chart, from 0 to at least the largest: three to five of them. */
export function ticksTo(largest: number): number[] {
  if (largest <= 3) return Array.from({ length: Math.max(1, largest) + 1 }, (_, i) => i);
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough && each % 1 === 0) ?? 10 * power,
  );
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, i) => i * step);
}
