import mammoth from 'mammoth';
import { checkArchive } from '../archive.ts';
import { htmlBlocks } from './html.ts';
import type { Parser } from './parser.ts';

const options = {
  // Pictures would come as base64 text, many times the size of everything else.
  convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
  styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
  externalFileAccess: false,
};

/** Word: paragraphs, headings, lists, tables, footnotes and the text boxes that the converter gives. */
export const parseDocx: Parser = async ({ path, limits }, sink) => {
  await checkArchive(path, limits);
  const { value } = await mammoth.convertToHtml({ path }, options);
  for (const block of htmlBlocks(value)) sink.block(block);
};
