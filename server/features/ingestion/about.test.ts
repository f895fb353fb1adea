import { expect, test } from 'vitest';
import { aboutOf } from './about.ts';

const line = (text: string, page?: number) => ({
  kind: 'paragraph' as const,
  text,
  ...(page !== undefined && { page }),
});

test('a document is about what the short lines of its first page say', () => {
  const blocks = [
    { kind: 'heading' as const, text: 'Annual Report', page: 1 },
    line('Example Foundation, 2024', 1),
    line(`Running text ${'that goes on '.repeat(20)}`, 1),
    line('Contents', 2),
  ];
  expect(aboutOf(blocks)).toBe('Annual Report\nExample Foundation, 2024');
});

test('without pages it is the headings at its very beginning', () => {
  const heading = { kind: 'heading' as const, text: 'Travel policy' };
  expect(aboutOf([heading, line('Flights are booked by the desk.'), { ...heading, text: 'Trains' }])).toBe(
    'Travel policy',
  );
  expect(aboutOf([line('Flights are booked by the desk.')])).toBe('');
  expect(aboutOf([])).toBe('');
});
