import { type Format, formats } from './document.ts';

const maxGap = 900;
const maxNamed = 8;
const maxNameLength = 80;

/**
 * Why a file could not be read, in the words that its owner sees: what is the matter, and what to do about it.
 * Codes are stable; texts may be improved.
 */
export const reasons = {
  unsupported: 'This kind of file cannot be read.',
  empty: 'This file is empty.',
  password: 'It is protected by a password. Please remove the password and upload it again.',
  damaged: 'It is damaged or incomplete and cannot be opened. Please save it again in its program and upload that.',
  'too-large-unpacked': 'It is far larger when unpacked than is safe to read. Please split it into smaller files.',
  'copy-protected':
    'It is protected against copying (DRM) and cannot be read. Please upload a copy without protection.',
  'too-deep': 'It is nested too deeply to be read safely. Please save it again in its program and upload that.',
  'too-many-pages': 'It has more than 5,000 pages. Please split it into smaller files.',
  'too-much-text': 'It holds more text than one document may. Please split it into smaller files.',
  'too-slow': 'Reading it took too long. Please split it into smaller files, or save it again in its program.',
  'too-much-memory': 'Reading it needs too much memory. Please split it into smaller files.',
  'no-text':
    'No text could be recognised in it. Please scan it again (upright, 300 dpi), or upload the original it was made from.',
  'nothing-inside': 'It has no text in it.',
} as const;

/** Kinds of file that people try, and what they can do instead. The list of what is accepted follows. */
export const refusals = {
  doc: 'Older Word files (DOC) cannot be read; please save it as DOCX.',
  xls: 'Older Excel files (XLS) cannot be read; please save it as XLSX.',
  ppt: 'Older PowerPoint files (PPT) cannot be read; please save it as PPTX.',
  msg: 'Outlook messages (MSG) cannot be read; please save it as EML.',
  compound: 'Files of older office programs cannot be read; please save it in a newer format.',
  heic: 'HEIC and AVIF pictures cannot be read; please save it as JPEG.',
  xlsb: 'A binary workbook (XLSB) cannot be read; please save it as XLSX.',
  iwork: 'Files of Pages, Numbers and Keynote cannot be read; please export it as PDF.',
  archive: 'Archives cannot be read; please unpack it and upload the files in it.',
  program: 'Programs and scripts cannot be read.',
} as const;

/** Of a file whose name promises one format, and whose content is another or none that is known. */
export function notWhatItSays(promised: Format, found?: Format): string {
  const inside = found === undefined ? '' : `: what is in it is ${kindOf(found)}`;
  return `This isn't a readable ${kindOf(promised)}${inside}. Please replace it with the right file.`;
}

/** `PDF`, `Word file (DOCX)`, `plain text`. */
function kindOf(format: Format): string {
  return formats[format].label
    .replace(' (', ' file (')
    .replace(/ pictures$/, '')
    .replace(' and ', ' or ');
}

/** Why a part of a document could not be read. Those of a page follow its number and begin with a small letter. */
export const gaps = {
  scan: 'no readable text, it is probably a scan.',
  'no-words': 'no text could be recognised in its picture.',
  'few-words':
    'many words in its picture could not be recognised: they may be handwriting, or of a language that is not set up.',
  'slow-page': 'recognising the text in its picture took too long.',
  'many-scans': 'the file has more scanned pages than can be read in one go. Please split it into smaller files.',
  slide: 'this slide is damaged.',
  page: 'this page is damaged.',
  chapter: (name: string) => `The chapter "${name}" is missing.`.slice(0, maxGap),
  rows: (name: string, row: number) =>
    `"${name}" was read only to row ${row.toLocaleString('en')}: it has more rows than one document may. Please split it into smaller files.`,
  'hidden-sheet': (name: string) =>
    `The hidden sheet "${name}" was not read. Please show it in its program and upload the file again if it should be.`,
  attachments: (names: readonly string[]) => listed('Its attachments were not read', names),
  'many-attachments': (names: readonly string[]) =>
    listed('It has more attachments than are read of one mail; these were not', names),
  'no-room-attachments': (names: readonly string[]) =>
    listed("There was no room left in the company's storage for its attachments", names),
  'deep-attachments': (names: readonly string[]) =>
    listed('It lies too deep in other mails for its attachments', names),
} as const;

/** A hostile mail names thousands, each as long as it likes. */
function listed(sentence: string, names: readonly string[]): string {
  const shown = names
    .slice(0, maxNamed)
    .map((name) => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name));
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${sentence}: ${shown.join(', ')}${more}.`.toWellFormed();
}

export type ReasonCode = keyof typeof reasons;

export function isReasonCode(code: unknown): code is ReasonCode {
  return typeof code === 'string' && Object.hasOwn(reasons, code);
}

/** The file cannot be read, and trying again would not change that. `reason` is a plain sentence for its owner. */
export class ParseFailure extends Error {
  readonly reason: string;
  readonly code: ReasonCode;

  constructor(reason: string, code: ReasonCode = 'unsupported') {
    super(reason);
    this.name = 'ParseFailure';
    this.reason = reason;
    this.code = code;
  }

  static of(code: ReasonCode): ParseFailure {
    return new ParseFailure(reasons[code], code);
  }
}
