import { describe, expect, test } from 'vitest';
import { makeOffice, makeRelations, parseBytes, roomyLimits } from '../fixtures.ts';
import { parsePptx } from './pptx.ts';

const paragraph = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (placeholder: string, ...texts: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${texts.map(paragraph).join('')}</p:txBody></p:sp>`;
const slide = (shapes: string) => `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
const cell = (text: string, attributes = '') => `<a:tc ${attributes}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;

function makeSlides(slides: string[], parts: Record<string, string> = {}, id = 'r:id'): Buffer {
  return makeOffice('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" ${id}="r${index + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': makeRelations(
      ...slides.map((_, index): [string, string] => ['slide', `slides/slide${index + 1}.xml`]),
      ['commentAuthors', 'authors.xml'],
    ),
    'ppt/authors.xml': '<p:cmAuthorLst><p:cmAuthor id="4" name="Ada"/></p:cmAuthorLst>',
    ...Object.fromEntries(slides.map((content, index) => [`ppt/slides/slide${index + 1}.xml`, content])),
    ...parts,
  });
}

describe('PowerPoint', () => {
  test('slides are found by whatever a program calls their ids', async () => {
    const { blocks } = await parseBytes(parsePptx, makeSlides([slide(shape('', 'Words'))], {}, 'd3p1:id'));
    expect(blocks).toMatchObject([{ text: 'Words', page: 1 }]);
  });

  test('a table whose head has groups of columns', async () => {
    const row = (...cells: string[]) => `<a:tr>${cells.join('')}</a:tr>`;
    const merged = cell('', 'hMerge="1"');
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>${row(cell(''), cell('Class 1', 'gridSpan="2"'), merged, cell('Class 2', 'gridSpan="2"'), merged)}${row(cell(''), cell('A'), cell('B'), cell('A'), cell('B'))}${row(cell('R1'), cell('yes'), cell('no'), cell('no'), cell('yes'))}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const { blocks } = await parseBytes(parsePptx, makeSlides([slide(table)]));
    expect(blocks.map(({ header, table }) => [header ?? false, table?.columns])).toEqual([
      [true, ['', 'Class 1 A', 'Class 1 B', 'Class 2 A', 'Class 2 B']],
      [true, undefined],
      [false, undefined],
    ]);
  });

  test('slides with title, lists, groups, tables, notes and comments', async () => {
    const group = `<p:grpSp><p:grpSp>${shape('', 'In a group')}</p:grpSp></p:grpSp>`;
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('Zone')}${cell('Fee')}</a:tr><a:tr>${cell('A', 'rowSpan="2"')}${cell('12')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('14')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const pptx = makeSlides(
      [
        slide(
          shape('<p:ph idx="1"/>', 'First point', 'Second point') +
            shape('<p:ph type="title"/>', 'Fees') +
            shape('<p:ph type="sldNum"/>', '1') +
            group,
        ),
        slide(table),
      ],
      {
        'ppt/slides/_rels/slide1.xml.rels': makeRelations(
          ['notesSlide', '../notes1.xml'],
          ['comments', '../comment1.xml'],
        ),
        'ppt/notes1.xml':
          `<p:notes>${slide(shape('<p:ph type="body"/>', 'Say hello.') + shape('<p:ph type="sldImg"/>', 'x'))}</p:notes>`.replace(
            /<\/?p:sld>/g,
            '',
          ),
        'ppt/comment1.xml': '<p:cmLst><p:cm authorId="4"><p:text>Too much.</p:text></p:cm></p:cmLst>',
      },
    );
    const { blocks, pages } = await parseBytes(parsePptx, pptx);
    expect(pages).toBe(2);
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Fees', page: 1, part: 'Slide 1' },
      { kind: 'item', text: 'First point', page: 1 },
      { kind: 'item', text: 'Second point', page: 1 },
      { kind: 'paragraph', text: 'In a group', page: 1 },
      { kind: 'heading', level: 6, text: 'Notes', page: 1 },
      { kind: 'paragraph', text: 'Say hello.', page: 1 },
      { kind: 'paragraph', text: 'Comment (Ada): Too much.', page: 1 },
      { kind: 'row', text: 'Zone | Fee', cells: ['Zone', 'Fee'], header: true, page: 2, part: 'Slide 2' },
      { kind: 'row', text: 'A | 12', cells: ['A', '12'], page: 2 },
      { kind: 'row', text: 'A | 14', cells: ['A', '14'], page: 2 },
    ]);
  });

  test('a slide that is damaged does not hide the others', async () => {
    const { blocks, unreadable } = await parseBytes(parsePptx, makeSlides(['<p:sld', slide(shape('', 'Whole'))]));
    expect(blocks).toMatchObject([{ text: 'Whole', page: 2 }]);
    expect(unreadable).toEqual([{ page: 1, why: 'this slide is damaged.' }]);
  });

  test('too many slides, or none of it, end in a reason', async () => {
    const many = makeSlides(['a', 'b', 'c'].map((text) => slide(shape('', text))));
    await expect(parseBytes(parsePptx, many, { ...roomyLimits, pages: 2 })).rejects.toMatchObject({
      code: 'too-many-pages',
    });
    await expect(parseBytes(parsePptx, makeOffice('ppt/gone.xml', {}))).rejects.toMatchObject({ code: 'damaged' });
  });
});
