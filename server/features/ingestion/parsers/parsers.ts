import type { Format } from '../document.ts';
import type { Parser } from './parser.ts';

/** The parser of each format, loaded when it is needed: the one for PDF is native code. */
export const parsers: Record<Format, () => Promise<Parser>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  docx: async () => (await import('./docx.ts')).parseDocx,
  pptx: async () => (await import('./pptx.ts')).parsePptx,
  xlsx: async () => (await import('./xlsx.ts')).parseXlsx,
  csv: async () => (await import('./csv.ts')).parseCsv,
  odt: odf,
  odp: odf,
  ods: odf,
  rtf: async () => (await import('./rtf.ts')).parseRtf,
  html: async () => (await import('./html.ts')).parseHtml,
  markdown: async () => (await import('./markdown.ts')).parseMarkdown,
  text: async () => (await import('./text.ts')).parseText,
  eml: async () => (await import('./eml.ts')).parseEml,
  epub: async () => (await import('./epub.ts')).parseEpub,
  png: image,
  jpeg: image,
  tiff: image,
  webp: image,
};

async function odf(): Promise<Parser> {
  return (await import('./odf.ts')).parseOdf;
}

async function image(): Promise<Parser> {
  return (await import('./image.ts')).parseImage;
}
