import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Real files that nobody here wrote, many of them hostile. They are not part of the project; what uses them does
 * without.
 */
export const realFilesFolder = fileURLToPath(new URL('../../../shared/data/files', import.meta.url));

export interface RealFile {
  /** Below the folder. */
  path: string;
  format: string;
  special: string;
  /** A text that stands in it; empty where none is known. */
  known: string;
  /** What is expected of a reader, in the words of the list. */
  expect: string;
  /** Where the known text stands: a page or slide by its number, a sheet or chapter by its name. */
  place: number | string;
  /** Whether the file is of a format that the product reads. */
  readable: boolean;
  hostile: boolean;
}

const formats = new Set(
  'pdf docx pptx xlsx xlsm csv tsv odt odp ods rtf html md txt eml epub png jpg tif webp'.split(' '),
);
/** Those whose known text is not on the first page, slide or sheet. */
const elsewhere: Record<string, number | string> = {
  'pdflatex-outline.pdf': 2,
  'powerpoint_sample.pptx': 2,
  'odf_presentation_01.odp': 2,
  'xlsx_01.xlsx': 'Sheet3',
  'epub_purvis_poetry.epub': 'Colophon',
};

/** The files that are there, as their list describes them; none where the folder is absent. */
export function realFiles(): RealFile[] {
  if (!existsSync(realFilesFolder)) return [];
  const [, ...lines] = readFileSync(join(realFilesFolder, 'manifest.csv'), 'utf8').trimEnd().split(/\r?\n/);
  return lines.flatMap((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((cell) =>
      (cell[1] ?? cell[2] ?? '').replaceAll('""', '"'),
    );
    const [path = '', format = '', , , , , , special = '', known = '', expected = '', sha256 = ''] = cells;
    if (!existsSync(join(realFilesFolder, path))) return [];
    const digest = createHash('sha256').update(readRealFile({ path })).digest('hex');
    // Not the file that the list describes.
    if (digest !== sha256) return [];
    return {
      path,
      format,
      special,
      known,
      expect: expected,
      place: elsewhere[path] ?? 1,
      readable: formats.has(format),
      hostile: path.startsWith('hostile/'),
    };
  });
}

export function readRealFile({ path }: Pick<RealFile, 'path'>): Buffer {
  return readFileSync(join(realFilesFolder, path));
}

/** A text as texts are compared: after NFKC, with white space collapsed and without marks of direction. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ');
}
