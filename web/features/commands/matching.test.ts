import { expect, test } from 'vitest';
import { type Command, matching } from './matching.ts';

const command = (group: Command['group'], label: string): Command => ({ key: label, group, label, run: () => {} });

const commands = [
  command('Questions', 'Who pays for hotels?'),
  command('Documents', 'Old travel policy.pdf'),
  command('Documents', 'Travel policy 2026.pdf'),
  command('Documents', 'Übersicht.docx'),
  command('Pages', 'Team'),
  command('Actions', 'New chat'),
];
const labels = (typed: string) => matching(commands, typed).map(({ label }) => label);

test('every word must be there, whatever its case and accents', () => {
  expect(labels('POLICY travel 2026')).toEqual(['Travel policy 2026.pdf']);
  expect(labels('ubersicht')).toEqual(['Übersicht.docx']);
  expect(labels('nothing')).toEqual([]);
});

test('groups keep their order, and within each what begins so comes first', () => {
  expect(labels('')).toEqual([
    'New chat',
    'Team',
    'Old travel policy.pdf',
    'Travel policy 2026.pdf',
    'Übersicht.docx',
    'Who pays for hotels?',
  ]);
  expect(labels('travel')).toEqual(['Travel policy 2026.pdf', 'Old travel policy.pdf']);
});

test('what is called just so comes before what only has the word', () => {
  const some = [command('Actions', 'Upload Documents'), command('Pages', 'Documents'), ...commands];
  expect(matching(some, ' documents').map(({ label }) => label)).toEqual(['Documents', 'Upload Documents']);
});

test('of each group a few are shown', () => {
  const many = Array.from({ length: 30 }, (_, n) => command('Documents', `File ${n}`));
  expect(matching([...many, ...commands], '').filter(({ group }) => group === 'Documents')).toHaveLength(6);
});
