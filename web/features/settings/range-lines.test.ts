import { expect, test } from 'vitest';
import { linesOf, rangesIn } from './range-lines.ts';

test('each line is a range with what stands behind it as its note; empty lines are none', () => {
  const text = '203.0.113.0/24  Berlin  office \r\n\n\t2001:db8::/32\n198.51.100.7, VPN\n';
  const ranges = [
    { range: '203.0.113.0/24', note: 'Berlin office' },
    { range: '2001:db8::/32', note: '' },
    { range: '198.51.100.7', note: 'VPN' },
  ];
  expect(rangesIn(text)).toEqual(ranges);
  expect(rangesIn(linesOf(ranges))).toEqual(ranges);
  expect(rangesIn(' \n')).toEqual([]);
});
