import { expect, test } from 'vitest';
import type { Source } from '#web/features/chat/conversation/message.ts';
import { copyOf } from './copy-answer.ts';

const source = (n: number, extra: Partial<Source> = {}): Source => ({
  n,
  title: 'Travel policy',
  name: 'Travel policy.pdf',
  url: `/documents/9b1d/2?cite=${n}`,
  documentId: '9b1d',
  version: 2,
  quote: `Quote ${n}.`,
  start: 0,
  end: 8,
  ...extra,
});

test('the text, then its sources as footnotes', () => {
  const { text, html } = copyOf(
    {
      text: 'Up to **145 euros**.[1, 2]\n\n> word for word [2]\n\n- one\n- two',
      sources: [source(1, { page: 3 }), source(2, { url: '' })],
    },
    'https://docs.example',
  );
  expect(text).toBe(
    [
      'Up to 145 euros.[1][2]',
      '> word for word[2]',
      '- one\n- two',
      '[1] Travel policy.pdf, page 3: “Quote 1.”\n    https://docs.example/documents/9b1d/2?cite=1\n[2] Travel policy.pdf: “Quote 2.”',
    ].join('\n\n'),
  );
  expect(html).toContain(
    '<strong>145 euros</strong>.<sup><a href="https://docs.example/documents/9b1d/2?cite=1">[1]</a></sup><sup>[2]</sup>',
  );
  expect(html).toContain('<li value="2">Travel policy.pdf: <q>Quote 2.</q></li>');
});

test('a table stays one', () => {
  const { text, html } = copyOf(
    { text: '| What | How much |\n|---|---|\n| **Hotel** | 145 [1] |', sources: [source(1, { url: '' })] },
    'https://docs.example',
  );
  expect(text).toContain('| What | How much |\n|---|---|\n| Hotel | 145[1] |\n\n[1]');
  expect(html).toContain(
    '<table><thead><tr><th>What</th><th>How much</th></tr></thead><tbody><tr><td><strong>Hotel</strong></td><td>145<sup>[1]</sup></td></tr></tbody></table>',
  );
});

test('a number without a source is left out, and an answer without sources has no footnotes', () => {
  expect(copyOf({ text: 'Cut off here [1]', sources: [] }, 'https://docs.example')).toEqual({
    text: 'Cut off here',
    html: '<p>Cut off here</p>',
  });
});

test('a claim that nothing supports is not taken along as if something did', () => {
  const { text, html } = copyOf(
    { text: 'It is open. It is free.', sources: [], unsupported: [{ start: 12, end: 23 }] },
    'https://docs.example',
  );
  expect(text).toBe('It is open. It is free. (no source)');
  expect(html).toBe('<p>It is open. It is free. (no source)</p>');
});

test('what stands in a document stays text', () => {
  const { html } = copyOf(
    {
      text: 'So <img src=x onerror=alert(1)> & so[1]',
      sources: [source(1, { name: '<b>.pdf', quote: '"<script>"' })],
    },
    'https://docs.example',
  );
  expect(html).toContain('So &lt;img src=x onerror=alert(1)&gt; &amp; so');
  expect(html).toContain('&lt;b&gt;.pdf');
  expect(html).toContain('&quot;&lt;script&gt;&quot;');
  expect(html).not.toMatch(/<img|<script|<b>/);
});
