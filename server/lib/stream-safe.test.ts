import { expect, test } from 'vitest';
import { streamSafe } from './stream-safe.ts';

test('a pile of marks is cut, and what people write stays', () => {
  for (const text of ['', 'Wie heißt Zoë?', 'กี่ที่นั่ง', 'हिन्दी में', 'שָׁלוֹם', 'Việt Nam', `a${'\u0301'.repeat(30)}b`])
    expect(streamSafe(text)).toBe(text);
  expect(streamSafe(`a${'\u0300\u0316'.repeat(4000)}b${'\u{1d167}'.repeat(31)}`)).toBe(
    `a${'\u0300\u0316'.repeat(15)}b${'\u{1d167}'.repeat(30)}`,
  );
});
