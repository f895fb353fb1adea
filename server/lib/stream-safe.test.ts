import { expect, test } from 'vitest';
import { streamSafe, streamSafePieces } from './stream-safe.ts';

test('a pile of marks is cut, and what people write stays', () => {
  for (const text of ['', 'Wie heißt Zoë?', 'กี่ที่นั่ง', 'हिन्दी में', 'שָׁלוֹם', 'Việt Nam', `a${'\u0301'.repeat(30)}b`])
    expect(streamSafe(text)).toBe(text);
  expect(streamSafe(`a${'\u0300\u0316'.repeat(4000)}b${'\u{1d167}'.repeat(31)}`)).toBe(
    `a${'\u0300\u0316'.repeat(15)}b${'\u{1d167}'.repeat(30)}`,
  );
});

test('a pile that comes in pieces is cut as one', () => {
  const text = `Zoë${'\u0300\u0316'.repeat(100)} and a${'\u0301'.repeat(20)}b${'\u0301'.repeat(40)}.`;
  for (const size of [1, 7, 29, 30, 31, 64, 1000]) {
    const safe = streamSafePieces();
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      text.slice(i * size, (i + 1) * size),
    );
    expect(pieces.map(safe).join(''), String(size)).toBe(streamSafe(text));
  }
});
