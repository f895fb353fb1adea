import { expect, test } from 'vitest';
import { query } from '#contract/calls/answers.ts';
import { factsOf, historyOf, type Message } from './message.ts';

let count = 0;
const message = (type: Message['type'], text: string, extra: Partial<Message> = {}): Message => ({
  id: String(count++),
  type,
  text,
  timestamp: '2026-11-21T06:00:00Z',
  sources: [],
  ...extra,
});

test('the last four messages, then the question', () => {
  const talk = ['a', 'b', 'c', 'd', 'e', 'f'].map((text, i) => message(i % 2 === 0 ? 'user' : 'ai', text));
  expect(historyOf(talk, 'and in Germany?')).toEqual([
    { role: 'user', parts: [{ text: 'c' }] },
    { role: 'model', parts: [{ text: 'd' }] },
    { role: 'user', parts: [{ text: 'e' }] },
    { role: 'model', parts: [{ text: 'f' }] },
    { role: 'user', parts: [{ text: 'and in Germany?' }] },
  ]);
  expect(historyOf([], 'first')).toEqual([{ role: 'user', parts: [{ text: 'first' }] }]);
});

test('errors and empty answers are left out, and do not count', () => {
  const talk = [
    message('user', 'a'),
    message('ai', 'b'),
    message('user', 'c'),
    message('ai', 'Error: An error occurred.', { failed: true }),
    message('user', 'd'),
    message('ai', ' ', { stopped: true }),
  ];
  expect(historyOf(talk, 'e').map(({ parts }) => parts[0]?.text)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the server takes it, however long the answers were', () => {
  const talk = [message('user', 'x'.repeat(9000)), message('ai', 'y'.repeat(20_000))];
  expect(() => query.input.parse({ history: historyOf(talk, 'z'.repeat(9000)) })).not.toThrow();
});

test('sources of another server are read by what they have', () => {
  const { sources } = factsOf({
    sources: [
      { title: 'Contract', uri: 'https://files.example/contract.pdf' },
      { name: 'Annex.pdf', link: '/annex' },
      { title: 'Both', url: 'https://a.example/', uri: 'https://b.example/' },
      { n: 9, title: 'Numbered' },
      { title: 'Script', uri: 'javascript:alert(1)' },
      'nonsense',
    ] as never,
  });
  expect(sources?.map(({ n, title, name, url }) => [n, title || name, url])).toEqual([
    [1, 'Contract', 'https://files.example/contract.pdf'],
    [2, 'Annex.pdf', '/annex'],
    [3, 'Both', 'https://a.example/'],
    [9, 'Numbered', ''],
    [5, 'Script', ''],
    [6, 'Source 6', ''],
  ]);
  expect(factsOf({ sources: 'nonsense' as never }).sources).toEqual([]);
});
