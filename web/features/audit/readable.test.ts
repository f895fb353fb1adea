import { expect, test } from 'vitest';
import { readable } from './readable.ts';

test('moments and sizes as the reader writes them, and all else as it was', () => {
  expect(readable('size: 102870, version: 1', 'en')).toBe('size: 103 kB, version: 1');
  expect(readable('size: 102870', 'de')).toBe('size: 103 kB');
  const moment = new Date(2027, 1, 27, 17, 36, 29).toISOString();
  expect(readable(`kind: personal, scope: read, expires: ${moment}`, 'de')).toBe(
    'kind: personal, scope: read, expires: 27.02.2027, 17:36',
  );
  expect(readable('name: font size: 12, tags: 2027-02-27', 'en')).toBe('name: font size: 12, tags: 2027-02-27');
});
