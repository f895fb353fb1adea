import { describe, expect, test } from 'vitest';
import { makeContainer, parseBytes } from '../fixtures.ts';
import { parseEpub } from './epub.ts';

const chapter = (body: string) => `<?xml version="1.0"?><html><head><title/></head><body>${body}</body></html>`;
const book = (parts: Record<string, string> = {}) =>
  makeContainer('application/epub+zip', {
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="a" href="text/one%20a.xhtml"/><item id="b" href="text/one-b.xhtml"/><item id="c" href="text/two.xhtml"/></manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>`,
    'OPS/nav.xhtml': chapter(
      '<nav epub:type="toc"><a href="text/one%20a.xhtml#x">The first</a><a href="text/two.xhtml">The second</a></nav>',
    ),
    'OPS/text/one a.xhtml': chapter('<h1>First</h1><p>It begins.<a id="x"/> It goes on.</p>'),
    'OPS/text/one-b.xhtml': chapter('<p>Still the first.</p>'),
    'OPS/text/two.xhtml': chapter('<p>The end.</p>'),
    ...parts,
  });

describe('EPUB', () => {
  test('chapters in their order, under the names of the table of contents', async () => {
    expect((await parseBytes(parseEpub, book())).blocks).toEqual([
      { kind: 'heading', level: 1, text: 'First', part: 'The first' },
      { kind: 'paragraph', text: 'It begins. It goes on.' },
      { kind: 'paragraph', text: 'Still the first.' },
      { kind: 'paragraph', text: 'The end.', part: 'The second' },
    ]);
  });

  test('a book that a shop has locked says so; locked fonts do not matter', async () => {
    const lock = (path: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`,
    });
    await expect(parseBytes(parseEpub, book(lock('OPS/text/two.xhtml')))).rejects.toMatchObject({
      code: 'copy-protected',
    });
    expect((await parseBytes(parseEpub, book(lock('OPS/font.otf')))).blocks).toHaveLength(4);
  });

  test('a container without a book is damaged', async () => {
    await expect(parseBytes(parseEpub, makeContainer('application/epub+zip', {}))).rejects.toMatchObject({
      code: 'damaged',
    });
  });
});
