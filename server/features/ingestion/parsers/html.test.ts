import { describe, expect, test } from 'vitest';
import { parseBytes } from '../fixtures.ts';
import { parseHtml } from './html.ts';

const blocksOf = async (html: string | Uint8Array) => (await parseBytes(parseHtml, html)).blocks;

describe('HTML', () => {
  test('is read as its reader sees it', async () => {
    const html = `<!doctype html><html><head><title>Tab</title><style>p{}</style></head><body>
      <nav><a href="/">Home</a></nav><h2>Parking</h2>
      <p>Permits cost <b>40</b>&nbsp;euros<br>a year. <span hidden>secret</span></p>loose words
      <ul><li>one<ul><li>deep</li></ul></li><li><p>two</p></li></ul>
      <pre>a\n  b</pre>
      <table><caption>Fees</caption><tr><th>Zone</th><th>Fee</th></tr><tr><td>A</td><td><p>12</p><p>euros</p></td></tr></table>
      <table><tr><td><h3>Layout</h3><p>In a cell.</p></td></tr></table>
      <div style="display: none">hidden</div><script>var x = 'code'</script><p aria-hidden="true">icon</p>
      </body></html>`;
    expect(await blocksOf(html)).toEqual([
      { kind: 'heading', level: 2, text: 'Parking' },
      { kind: 'paragraph', text: 'Permits cost 40 euros a year.' },
      { kind: 'paragraph', text: 'loose words' },
      { kind: 'item', text: 'one' },
      { kind: 'item', text: 'deep' },
      { kind: 'item', text: 'two' },
      { kind: 'code', text: 'a\n  b' },
      { kind: 'paragraph', text: 'Fees' },
      { kind: 'row', text: 'Zone | Fee', cells: ['Zone', 'Fee'], header: true },
      { kind: 'row', text: 'A | 12 euros', cells: ['A', '12 euros'] },
      { kind: 'heading', level: 3, text: 'Layout' },
      { kind: 'paragraph', text: 'In a cell.' },
    ]);
  });

  test('what leads around a site is left out, where there is content beside it', async () => {
    const links = Array.from({ length: 8 }, (_, index) => `<li><a href="/${index}">Page ${index}</a></li>`).join('');
    const text = '<h1>Parking</h1><p>Permits cost 40 euros a year, and are valid for one car only.</p>';
    const texts = async (html: string) => (await blocksOf(html)).map((block) => block.text);
    const expected = ['Parking', 'Permits cost 40 euros a year, and are valid for one car only.'];
    expect(
      await texts(
        `<div>Our site</div><ul>${links}</ul><main>${text}<div class="page-nav">Next</div></main><p>Imprint</p>`,
      ),
    ).toEqual(expected);
    expect(await texts(`<ul>${links}</ul>${text}<footer>Imprint</footer>`)).toEqual(expected);
    expect(await texts(`<h1>Forms</h1><ul>${links}</ul>`)).toHaveLength(9);
    const short = '<main>Loading</main><p>Here is what the page really says, outside of its main part.</p>';
    expect(await texts(short)).toHaveLength(2);
  });

  test('declared encodings are used, and UTF-8 is believed more than a wrong declaration', async () => {
    const declared = Buffer.from('<meta charset="iso-8859-2"><p>\xb1\xe6\xea</p>', 'latin1');
    expect(await blocksOf(declared)).toEqual([{ kind: 'paragraph', text: 'ąćę' }]);
    expect(await blocksOf('<meta charset="iso-8859-1"><p>für</p>')).toEqual([{ kind: 'paragraph', text: 'für' }]);
  });

  test('deep nesting does not end the stack', async () => {
    expect(await blocksOf(`${'<b>'.repeat(20_000)}deep`)).toEqual([{ kind: 'paragraph', text: 'deep' }]);
  });
});
