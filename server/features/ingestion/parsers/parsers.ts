import type { Format } from '../document.ts';
import type { Parser } from './parser.ts';

/** The parser of each format, loaded when it is needed: the one for PDF is native code. */
export const parsers: Record<Format, () => Promise<Parser>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  docx: async () => (await import('./docx.ts')).parseDocx,
  xlsx: async () => (await import('./xlsx.ts')).parseXlsx,
  html: async () => (await import('./html.ts')).parseHtml,
  markdown: async () => (await import('./markdown.ts')).parseMarkdown,
  text: async () => (await import('./text.ts')).parseText,
};
