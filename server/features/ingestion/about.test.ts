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

test('what a form says of itself is left out, and the year of its law, so that there is room for whose it is', () => {
  const form = [
    'UNITED STATES SECURITIES AND EXCHANGE COMMISSION',
    'Washington, D.C. 20549',
    '(Mark One)',
    '[X] ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934 For the year ended June 30, 2023',
    'Commission file number: 001-12345',
    'HARBOURLINE HOLDING, INC.',
    '(Exact name of registrant as specified in its charter)',
  ].map((text) => line(text, 1));
  expect(aboutOf(form)).toBe('[X] ANNUAL REPORT For the year ended June 30, 2023\nHARBOURLINE HOLDING, INC.');
});

test('names that run through the document come last, but for those that are said already', () => {
  const title = [{ kind: 'heading' as const, text: 'Annual Report of HARBOURLINE', page: 1 }];
  const passages = Array.from({ length: 4 }, () => ({ heading: '', body: 'What Harbourline does, so does Quaynet.' }));
  expect(aboutOf(title, passages)).toBe('Annual Report of HARBOURLINE\nQuaynet');
});
