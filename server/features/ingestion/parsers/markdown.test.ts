import { describe, expect, test } from 'vitest';
import { parseBytes } from '../fixtures.ts';
import { parseMarkdown } from './markdown.ts';

const blocksOf = async (markdown: string) => (await parseBytes(parseMarkdown, markdown)).blocks;

describe('Markdown', () => {
  test('is read without its syntax', async () => {
    const markdown = [
      '---\ntitle: Hidden\n---\n',
      '# Travel *policy*\n',
      'Book **early** with [the portal](https://example.com/p "t") or `book()`.\\',
      'See ![a map](map.png) [36] and ~~old~~ rules &amp; 2 \\* 3.[^1]\n',
      '- first\n  - nested\n- [x] done\n\n1. one\n',
      '> quoted words\n',
      '| Item | Price |\n|---|--:|\n| Chair \\| oak | **12** |\n',
      '```js\nif (a) {\n  b();\n}\n```\n',
      'Setext\n------\n',
      '<div>some <b>HTML</b><script>no()</script></div>\n',
      '[^1]: A footnote.\n',
      '[36]: https://example.com/defined\n',
    ].join('\n');
    expect(await blocksOf(markdown)).toEqual([
      { kind: 'heading', level: 1, text: 'Travel policy' },
      { kind: 'paragraph', text: 'Book early with the portal or book(). See [36] and old rules & 2 * 3.' },
      { kind: 'item', text: 'first' },
      { kind: 'item', text: 'nested' },
      { kind: 'item', text: 'done' },
      { kind: 'item', text: 'one' },
      { kind: 'paragraph', text: 'quoted words' },
      { kind: 'row', text: 'Item | Price', cells: ['Item', 'Price'], header: true },
      { kind: 'row', text: 'Chair | oak | 12', cells: ['Chair | oak', '12'] },
      { kind: 'code', text: 'if (a) {\n  b();\n}' },
      { kind: 'heading', level: 2, text: 'Setext' },
      { kind: 'paragraph', text: 'some HTML' },
      { kind: 'paragraph', text: 'A footnote.' },
    ]);
  });

  test('a rule at the start is no front matter', async () => {
    expect(await blocksOf('---\nplain words\n\n---\nmore')).toContainEqual({ kind: 'paragraph', text: 'more' });
  });
});
