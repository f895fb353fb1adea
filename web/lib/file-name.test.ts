import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { splitFileName } from './file-name.ts';

test('a short name stays whole, a long one keeps its extension', () => {
  expect(splitFileName('Plan.pdf')).toEqual({ head: 'Plan.pdf', tail: '' });
  expect(splitFileName('Framework contract Meridian.pdf')).toEqual({
    head: 'Framework contract Me',
    tail: 'ridian.pdf',
  });
  expect(splitFileName('a name with no extension at all').tail).toBe('at all');
  expect(splitFileName('ends.with something long after a dot').tail).toBe(' a dot');
});

test('a name from right to left is split before its extension alone', () => {
  expect(splitFileName('دليل.pdf')).toEqual({ head: 'دليل', tail: '.pdf' });
  const annual = 'تقرير سنوي عن حالة المستودعات والرافعات';
  expect(splitFileName(`${annual}.txt`)).toEqual({ head: annual, tail: '.txt' });
  expect(splitFileName('דוח בטיחות 2026 (final) v2.txt')).toEqual({ head: 'דוח בטיחות 2026 (final) v2', tail: '.txt' });
  expect(splitFileName('A harmless picture \u202egpj.exe')).toEqual({
    head: 'A harmless picture \u202egpj',
    tail: '.exe',
  });
});

test('loses nothing and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (name) => {
      const { head, tail } = splitFileName(name);
      expect(head + tail).toBe(name);
      expect(head.isWellFormed() && tail.isWellFormed()).toBe(name.isWellFormed());
    }),
  );
  const family = '👩‍👩‍👧';
  expect(splitFileName(`A long enough name ${family}${family}${family}.docx`).tail).toBe(
    `me ${family}${family}${family}.docx`,
  );
});
