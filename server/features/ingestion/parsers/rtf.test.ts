import { describe, expect, test } from 'vitest';
import { parseBytes } from '../fixtures.ts';
import { parseRtf } from './rtf.ts';

const parse = async (body: string) =>
  (await parseBytes(parseRtf, Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\uc1 ${body}}`, 'latin1'))).blocks;
const textsOf = async (body: string) => (await parse(body)).map(({ text }) => text);

describe('RTF', () => {
  test('letters of every kind', async () => {
    expect(
      await textsOf(
        String.raw`{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 Mincho;}{\f2\fcharset204 Arial Cyr;}}` +
          String.raw`{\f0 Geb\'fchr \u8364? 5\endash 7 \{a\}\~b}\par {\f1 \'93\'fa\'96\'7b}\par {\f2 \'cf\'f0}\par {\uc2\u-10179 xx\u-8704 xx}`,
      ),
    ).toEqual(['Gebühr € 5–7 {a} b', '日本', 'Пр', '😀']);
  });

  test('headings by style, items, tables, notes where they belong', async () => {
    const row = (...cells: string[]) => `\\trowd\\pard\\intbl ${cells.join('\\cell ')}\\cell\\row `;
    expect(
      await parse(
        String.raw`{\stylesheet{\s0 Normal;}{\s3 heading 2;}}{\info{\title Secret}}{\*\generator X;}` +
          String.raw`\pard\s3 Rent\par\pard The rent{\footnote\pard See the annex.} is due.{\*\annotation Too low.}\par` +
          String.raw`\pard{\pntext\'b7\tab}\ls1 one\par\pard{\listtext\u65533 ?\tab}\ls1 two\par\pard\v hidden\v0{\field{\*\fldinst HYPERLINK "x"}{\fldrslt shown}}\par` +
          row('Room', 'Size') +
          row('Kitchen', '12') +
          String.raw`\pard After{\pict\pngblip 89504e47}{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt In a box.\par}}}\par`,
      ),
    ).toEqual([
      { kind: 'heading', level: 2, text: 'Rent' },
      { kind: 'paragraph', text: 'The rent is due.' },
      { kind: 'paragraph', text: 'See the annex.' },
      { kind: 'paragraph', text: 'Comment: Too low.' },
      { kind: 'item', text: 'one' },
      { kind: 'item', text: 'two' },
      { kind: 'paragraph', text: 'shown' },
      { kind: 'row', text: 'Room | Size', cells: ['Room', 'Size'], header: true },
      { kind: 'row', text: 'Kitchen | 12', cells: ['Kitchen', '12'] },
      { kind: 'paragraph', text: 'After' },
      { kind: 'paragraph', text: 'In a box.' },
    ]);
  });

  test('binary data is skipped, broken ends and endless groups end', async () => {
    expect(await textsOf('a{\\object\\objdata\\bin5 }}}}}b}c')).toEqual(['ac']);
    expect(await textsOf('unfinished {\\b bold')).toEqual(['unfinished bold']);
    await expect(parse('{'.repeat(100_000))).rejects.toMatchObject({ code: 'too-deep' });
    await expect(parseBytes(parseRtf, 'no rtf')).rejects.toMatchObject({ code: 'damaged' });
  });
});
