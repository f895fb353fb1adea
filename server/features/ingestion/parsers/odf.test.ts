import { describe, expect, test } from 'vitest';
import { makeContainer, parseBytes, roomyLimits } from '../fixtures.ts';
import { parseOdf } from './odf.ts';

const p = (text: string) => `<text:p>${text}</text:p>`;
const cell = (content: string, attributes = '') => `<table:table-cell ${attributes}>${content}</table:table-cell>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;

const parse = (kind: string, body: string, parts: Record<string, string> = {}, styles = '', limits = roomyLimits) =>
  parseBytes(
    parseOdf,
    makeContainer(`application/vnd.oasis.opendocument.${kind}`, {
      'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      ...parts,
    }),
    limits,
  );

describe('OpenDocument', () => {
  test('a text: headings, lists, tables, notes, comments, frames, charts', async () => {
    const { blocks } = await parse(
      'text',
      `<text:tracked-changes>${p('was deleted')}</text:tracked-changes>
       <text:h text:outline-level="2">Rent</text:h>
       <text:p>The <text:span>rent</text:span><text:s text:c="2"/>is 900<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('See the annex.')}</text:note-body></text:note> euros.<office:annotation><dc:creator>Ada</dc:creator>${p('Too low.')}</office:annotation></text:p>
       <text:list><text:list-item>${p('one')}<text:list><text:list-item>${p('deep')}</text:list-item></text:list></text:list-item></text:list>
       <text:p><draw:frame><draw:text-box>${p('In a box.')}</draw:text-box></draw:frame></text:p>
       <table:table><table:table-header-rows>${row(cell(p('Room')), cell(p('Size')))}</table:table-header-rows>${row(cell(p('Kitchen')), cell(p('12')))}</table:table>
       <text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>`,
      {
        'Object 1/content.xml': `<office:document-content><office:body><office:chart><chart:chart><chart:title>${p('Sales')}</chart:title><table:table>${row(cell(p('')), cell(p('North')))}${row(cell(p('Q1')), cell(p('5')))}</table:table></chart:chart></office:chart></office:body></office:document-content>`,
      },
    );
    expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'heading: Rent',
      'paragraph: The rent is 900 euros.',
      'paragraph: See the annex.',
      'paragraph: Comment (Ada): Too low.',
      'item: one',
      'item: deep',
      'paragraph: In a box.',
      'row: Room | Size',
      'row: Kitchen | 12',
      'paragraph: Sales',
      'row:  | North',
      'row: Q1 | 5',
    ]);
    expect(blocks[7]).toMatchObject({ header: true });
  });

  test('slides: title, texts, notes', async () => {
    const { blocks, pages } = await parse(
      'presentation',
      `<draw:page><draw:frame presentation:class="title"><draw:text-box>${p('Fees')}</draw:text-box></draw:frame><draw:custom-shape>${p('Twelve euros')}</draw:custom-shape><presentation:notes><draw:frame><draw:text-box>${p('Say hello.')}</draw:text-box></draw:frame></presentation:notes></draw:page><draw:page>${p('')}</draw:page>`,
    );
    expect(pages).toBe(2);
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Fees', page: 1, part: 'Slide 1' },
      { kind: 'paragraph', text: 'Twelve euros', page: 1 },
      { kind: 'heading', level: 6, text: 'Notes', page: 1 },
      { kind: 'paragraph', text: 'Say hello.', page: 1 },
    ]);
  });

  test('sheets: repeated cells, empty rows between tables, hidden sheets, claims of millions of cells', async () => {
    const rows = [
      row(cell(p('Zone')), cell(p('Fee'))),
      row(cell(p('A'), 'table:number-columns-repeated="2"')),
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
      row(cell('', 'office:value="7" office:value-type="float"'), cell(p('x'))),
    ];
    const { blocks, unreadable } = await parse(
      'spreadsheet',
      `<table:table table:name="Rates">${rows.join('')}</table:table><table:table table:name="Old" table:style-name="h">${row(cell(p('secret')))}</table:table>`,
      {},
      '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>',
    );
    expect(blocks).toEqual([
      {
        kind: 'row',
        text: 'Zone | Fee',
        cells: ['Zone', 'Fee'],
        header: true,
        part: 'Rates',
        table: { columns: ['Zone', 'Fee'], sheet: 'Rates' },
      },
      { kind: 'row', text: 'A | A', cells: ['A', 'A'] },
      { kind: 'row', text: '7 | x', cells: ['7', 'x'] },
    ]);
    expect(unreadable).toEqual([{ why: expect.stringContaining('The hidden sheet "Old" was not read.') }]);
  });

  test('rows beyond the limit are told, and a password ends it', async () => {
    const sheet = `<table:table table:name="Long">${row(cell(p('a'), 'table:number-columns-repeated="3"')).repeat(30)}</table:table>`;
    const { blocks, unreadable } = await parse('spreadsheet', sheet, {}, '', { ...roomyLimits, rows: 20 });
    expect(blocks).toHaveLength(20);
    expect(unreadable).toEqual([{ why: expect.stringContaining('"Long" was read only to row 20') }]);
    const locked = {
      'META-INF/manifest.xml': '<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
    };
    await expect(parse('text', p('x'), locked)).rejects.toMatchObject({ code: 'password' });
  });
});
