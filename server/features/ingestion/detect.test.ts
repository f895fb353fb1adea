import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { type Detected, detectFile, detectFormat } from './detect.ts';
import { formats } from './document.ts';
import { makeContainer, makePdf, makeZip, withFile } from './fixtures.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const utf8 = (text: string) => new TextEncoder().encode(text);
const docx = makeZip([
  { name: '[Content_Types].xml', content: '<Types/>' },
  { name: 'word/document.xml', content: '<w/>' },
]);
const xlsx = makeZip([{ name: 'xl/workbook.xml', content: '<w/>' }]);
const pptx = makeZip([{ name: 'ppt/presentation.xml', content: '<p/>' }]);
const packedAnew = makeZip([
  { name: 'META-INF/manifest.xml', content: '<m/>' },
  { name: 'content.xml', content: '<d/>' },
  { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
]);
const compound = Buffer.concat([bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), Buffer.alloc(2000)]);

describe('the content decides', () => {
  test.each<[string, Uint8Array, string]>([
    ['report.docx', utf8('%PDF-1.7\n'), 'pdf'],
    ['report.txt', utf8('%PDF-1.7\n'), 'pdf'],
    ['report', utf8('<!DOCTYPE html><html><body>Hello'), 'html'],
    ['report.txt', utf8('<!-- saved -->\n<HTML lang="en">'), 'html'],
    ['export.xls', utf8('<html><table><tr><td>Item'), 'html'],
    ['export.xls', utf8('Item\tPrice\nDesk\t4'), 'csv'],
    ['letter.doc', utf8('{\\rtf1\\ansi hello}'), 'rtf'],
    ['junk-before.pdf', Buffer.concat([bytes(0, 1, 2), utf8('%PDF-1.4')]), 'pdf'],
    ['about.md', utf8('A PDF starts with %PDF-1.7 in its first line.'), 'markdown'],
    ['a.xlsx', docx, 'docx'],
    ['a.docx', xlsx, 'xlsx'],
    ['a', xlsx, 'xlsx'],
    ['noextension', docx, 'docx'],
    ['notes.md', utf8('# Title'), 'markdown'],
    ['notes.MD', utf8('<div align="center">logo</div>\n\n# Title'), 'markdown'],
    ['page.htm', utf8('<p>Hello</p>'), 'html'],
    ['page.html', utf8('no tag at all'), 'text'],
    ['readme', utf8('just words'), 'text'],
    ['emoji.txt', utf8('👍 ok'), 'text'],
    ['utf16.txt', Buffer.from('\ufeffHello there', 'utf16le'), 'text'],
    ['utf16-without-mark.txt', Buffer.from('Hello there', 'utf16le'), 'text'],
    ['latin1.txt', bytes(0x4b, 0xf6, 0x6e, 0x6e, 0x65, 0x6e), 'text'],
    ['shift-jis.txt', iconv.encode('この文書は、出張の際の手続きについて説明しています。', 'shift_jis'), 'text'],
    ['slides.bin', pptx, 'pptx'],
    ['packed-anew.odt', packedAnew, 'odt'],
    ['packed-anew.ods', packedAnew, 'ods'],
    ['letter.txt', utf8('{\\rtf1\\ansi hello}'), 'rtf'],
    ['table.csv', utf8('a,b\n1,2'), 'csv'],
    ['table.tsv', Buffer.from('\ufeffa\tb', 'utf16le'), 'csv'],
    ['text', makeContainer('application/vnd.oasis.opendocument.text', {}), 'odt'],
    ['slides', makeContainer('application/vnd.oasis.opendocument.presentation', {}), 'odp'],
    ['sheets', makeContainer('application/vnd.oasis.opendocument.spreadsheet', {}), 'ods'],
    ['book.zip', makeContainer('application/epub+zip', {}), 'epub'],
    ['letter', utf8('Received: from a\n by b\nMessage-ID: <1@a>\nFrom: a@b.example\nSubject: Hello\n\nText'), 'eml'],
    ['quoted.txt', utf8('From: a@b.example\nSubject: Hello\n\nHe wrote to me.'), 'text'],
    ['mailbox.eml', utf8('From a@b.example Mon May  2 16:07:05 2005\nSubject: Hello\n\nText'), 'eml'],
    ['short.eml', utf8('Subject: Hello\n\nText'), 'eml'],
    ['picture.pdf', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13), 'png'],
    ['photo', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16), 'jpeg'],
    ['fax', bytes(0x49, 0x49, 42, 0, 8, 0, 0, 0), 'tiff'],
    ['scan', bytes(0x4d, 0x4d, 0, 42, 0, 0, 0, 8), 'tiff'],
    ['web', Buffer.concat([utf8('RIFF'), bytes(1, 2, 3, 4), utf8('WEBPVP8 ')]), 'webp'],
    ['cut-in-a-letter.txt', utf8('Gebühr ü').subarray(0, -1), 'text'],
  ])('%s', (name, head, format) => {
    expect(detectFormat(head, name)).toEqual({ format });
  });
});

describe('what is refused', () => {
  test.each<[string, Uint8Array]>([
    ['empty.pdf', bytes()],
    ['blank.txt', utf8(' \n\n ')],
    ['program.docx', Buffer.concat([utf8('MZ'), bytes(0x90, 0, 3, 0, 0, 0)])],
    ['random.txt', Uint8Array.from({ length: 1000 }, (_, index) => 1 + ((index * 73) % 255))],
    ['archive.zip', makeZip([{ name: 'a.txt', content: 'a' }])],
    ['letter.doc', compound],
    ['drawing.svg', utf8('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['photo.jpg', Buffer.concat([bytes(0, 0, 0, 24), utf8('ftypheic')])],
    ['pages.zip', makeZip([{ name: 'Index/Document.iwa', content: '' }])],
    ['data.xml', utf8('<?xml version="1.0"?><a/>')],
    ['tool.exe', utf8('MZ')],
    ['tool.EXE .', utf8('just words')],
    ['invoice.pdf.js', utf8('run()')],
    ['really-a-pdf.exe', utf8('%PDF-1.7\n')],
    ['notes.txt', utf8('#!/bin/sh\nrm -r x')],
    ['notes.txt', Buffer.concat([utf8('\x7fELF'), bytes(2, 1, 1, 0)])],
    ['code.docx', makeZip([{ name: 'META-INF/MANIFEST.MF', content: '' }])],
    ['words.zip', utf8('just words')],
    ['words.gif', utf8('just words')],
    ['words.doc', utf8('just words')],
    ['files.pdf', Buffer.concat([Buffer.alloc(257, 'a'), utf8('ustar\0'), Buffer.alloc(200)])],
    ['files.txt', Buffer.concat([bytes(0xfd), utf8('7zXZ'), bytes(0, 0, 4)])],
  ])('%s, with the list of what is accepted', (name, head) => {
    const sentence = refusal(detectFormat(head, name));
    expect(sentence).toMatch(/^[A-Z][^.]*\. Accepted are .*\.$/);
    for (const { label } of Object.values(formats)) expect(sentence).toContain(label);
  });

  test.each([
    ['letter.doc', 'WordDocument', 'DOCX'],
    ['x', 'PowerPoint Document', 'PPTX'],
    ['x', 'Workbook', 'XLSX'],
    ['mail', '__properties_version1.0', 'EML'],
  ])('an older kind says what to save it as: %s, %s', (name, entry, newer) => {
    const file = Buffer.concat([compound, Buffer.from(entry, 'utf16le')]);
    expect(refusal(detectFormat(file, name))).toContain(`please save it as ${newer}.`);
  });

  test('a file with a password says so', async () => {
    expect(refusal(detectFormat(compound, 'contract.docx'))).toContain('protected by a password');
    const listing = Buffer.from('EncryptedPackage', 'utf16le');
    const encrypted = Buffer.concat([compound.subarray(0, 1024), listing, Buffer.alloc(512)]);
    encrypted.writeUInt16LE(9, 30);
    encrypted.writeUInt32LE(1, 48);
    expect(await withFile(encrypted, (path) => detectFile(path, 'contract'))).toEqual({
      refused: expect.stringContaining('protected by a password'),
    });
  });
});

describe('a name that promises what the content is not', () => {
  test.each<[string, Uint8Array, string]>([
    ['broken.pdf', utf8('nine byte'), "This isn't a readable PDF: what is in it is plain text."],
    ['broken.pdf', utf8('<!DOCTYPE html><html>'), "This isn't a readable PDF: what is in it is HTML."],
    ['broken.pdf', Uint8Array.from({ length: 999 }, (_, at) => 1 + ((at * 73) % 255)), "This isn't a readable PDF."],
    ['broken.docx', utf8('words'), "This isn't a readable Word file (DOCX): what is in it is plain text."],
    ['broken.xlsx', utf8('a,b'), "This isn't a readable Excel file (XLSX): what is in it is plain text."],
    ['broken.rtf', utf8('words'), "This isn't a readable RTF: what is in it is plain text."],
    ['broken.webp', utf8('words'), "This isn't a readable WebP: what is in it is plain text."],
  ])('%s', (name, head, sentence) => {
    expect(detectFormat(head, name)).toEqual({ broken: `${sentence} Please replace it with the right file.` });
  });
});

describe('a whole file', () => {
  const detect = (content: Uint8Array, name: string) => withFile(content, (path) => detectFile(path, name));

  test('is told by its directory, wherever the telling name stands', async () => {
    const late = makeZip([
      { name: 'docProps/big.bin', content: Buffer.alloc(10) },
      { name: 'word/document.xml', content: '' },
    ]);
    expect(await detect(late, 'x')).toEqual({ format: 'docx' });
    expect(await detect(makeZip([{ name: 'readme', content: '' }]), 'a.docx')).toHaveProperty('refused');
    expect(await detect(await makePdf([['Hello']]), 'x')).toEqual({ format: 'pdf' });
    expect(await detect(packedAnew, 'a.odt')).toEqual({ format: 'odt' });
    expect(await detect(makeZip([{ name: 'xl\\workbook.xml', content: '<w/>' }]), 'a.xlsx')).toEqual({
      format: 'xlsx',
    });
    expect(await detect(packedAnew, 'a.docx')).toHaveProperty('broken');
  });

  test('that ends too early is refused as damaged', async () => {
    expect(refusal(await detect(docx.subarray(0, docx.length - 30), 'a.docx'))).toContain('damaged');
  });

  test('that is not there is an error of the machine', async () => {
    await expect(detectFile('/nowhere/at/all', 'a')).rejects.toThrow('ENOENT');
  });
});

function refusal(detected: Detected): string {
  return 'refused' in detected ? detected.refused : '';
}
