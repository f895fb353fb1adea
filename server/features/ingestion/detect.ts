import { listEntries } from './archive.ts';
import { type Content, withContent } from './content.ts';
import { type Format, formats } from './document.ts';
import { decodeText } from './encoding.ts';
import { claimOf, extensionOf } from './file-name.ts';
import { isArchive, isProgram } from './other-kinds.ts';
import { notWhatItSays, ParseFailure, reasons, refusals } from './reasons.ts';

/**
 * `refused`: a file of no kind that is read, in a plain sentence that lists what is accepted. `broken`: its name
 * promises a kind that is read and its content is none of it, so that its owner should see it and put another in its
 * place.
 */
export type Detected = { format: Format } | { refused: string } | { broken: string };

const headBytes = 64 * 1024;
const maxEntries = 10_000;

const labels = Object.values(formats).map(({ label }) => label);
const accepted = `Accepted are ${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}.`;

/** Text that is a document of another kind, by its extension: its syntax would be read as if it were prose. */
const otherText = new Set('mbox svg xml json jsonl ipynb ics vcf ps eps js css sql fodt fods fodp'.split(' '));

/** Pictures, by what their first bytes are. */
const pictures: [format: Format, start: RegExp][] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['tiff', /^(II\*\0|MM\0\*)/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** What a container says it is in its first entry, which is not compressed. */
const containers: Record<string, Format> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
  'application/epub+zip': 'epub',
};

const openDocuments = new Set<Format>(['odt', 'odp', 'ods']);

const mailHeaders =
  /^(from|to|cc|subject|date|message-id|received|return-path|reply-to|mime-version|content-type|delivered-to|dkim-signature|x-[\w-]+|in-reply-to|references|sender|arc-[\w-]+|content-transfer-encoding|thread-[\w-]+):/i;

/**
 * Tells what a whole file is: as `detectFormat`, and looks into the directory of a zip container.
 * @throws what opening and reading the file throws
 */
export function detectFile(path: string, name: string): Promise<Detected> {
  return withContent(path, (content) => detectContent(content, name));
}

/** The same of a file that lies elsewhere. @throws what reading it throws */
export async function detectContent(content: Content, name: string): Promise<Detected> {
  const { head, directory } = await readStart(content);
  if (isCompoundFile(head)) return heldAgainst(name, refuseCompoundFile(Buffer.concat([head, directory]), name), head);
  if (!isZip(head)) return detectFormat(head, name);
  try {
    const names = await listEntries(content, { entries: maxEntries });
    return heldAgainst(name, ofContainer(head) ?? ofEntries(names, name) ?? refused(refusals.archive), head);
  } catch (error) {
    if (error instanceof ParseFailure) return { refused: error.reason };
    throw error;
  }
}

/**
 * Tells from a file's first bytes (the more the better; 64 KB are plenty) which format it has. What the content is
 * decides; the extension only tells one kind of text, or an unclear zip container, from another. But a text, or what is
 * of no known kind, is not read under a name that promises another format, and nothing under that of a program.
 */
export function detectFormat(head: Uint8Array, name: string): Detected {
  if (head.length === 0) return { refused: `${reasons.empty} ${accepted}` };
  return heldAgainst(name, formatOf(head, name), head);
}

/** Anything that is not something else is one of these. */
const texts = new Set<Format>(['text', 'markdown', 'html', 'csv', 'eml']);

function heldAgainst(name: string, found: Detected, head: Uint8Array): Detected {
  const claim = claimOf(name);
  if (claim.kind === 'program') return refused(refusals.program);
  if ('refused' in found) {
    const isNothingKnown = found.refused.startsWith(reasons.unsupported);
    return claim.kind === 'format' && isNothingKnown ? { broken: notWhatItSays(claim.format) } : found;
  }
  if (!('format' in found)) return found;
  const { format } = found;
  // A format with a head of its own is certain, whatever the name: a file that replaces another one takes on its name.
  if (!texts.has(format)) return found;
  if (claim.kind === 'format') return { broken: notWhatItSays(claim.format, format) };
  if (claim.kind === 'archive') return refused(refusals.archive);
  if (claim.kind === 'unread') return refused(reasons.unsupported);
  if (claim.kind !== 'older' || format !== 'text') return found;
  // What many programs export as a workbook is a table as text.
  return claim.as === 'xls' && head.includes(0x09) ? { format: 'csv' } : refused(refusals[claim.as]);
}

function formatOf(head: Uint8Array, name: string): Detected {
  const extension = extensionOf(name);
  const latin1 = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  if (isCompoundFile(head)) return refuseCompoundFile(head, name);
  if (isArchive(latin1)) return refused(refusals.archive);
  if (isProgram(latin1)) return refused(refusals.program);
  if (isZip(head)) {
    const known = ofContainer(head) ?? ofEntries(localEntries(latin1), name);
    if (known) return known;
    // The names that tell may stand further back.
    if (/^do[ct][xm]$/.test(extension)) return { format: 'docx' };
    if (/^xl[st][xm]$/.test(extension)) return { format: 'xlsx' };
    if (/^p[op][tps][xm]$/.test(extension)) return { format: 'pptx' };
    const format = (['odt', 'odp', 'ods', 'epub'] as const).find((each) => each === extension);
    if (format) return { format };
    return refused(refusals.archive);
  }
  const picture = pictures.find(([, start]) => start.test(latin1))?.[0];
  if (picture) return { format: picture };
  if (/^.{4}ftyp(hei[cxms]|hev[cx]|mif1|msf1|avif|avis)/s.test(latin1)) return refused(refusals.heic);
  if (latin1.trimStart().startsWith('{\\rtf')) return { format: 'rtf' };
  // The header of a PDF may stand anywhere in the first kilobyte; in prose about PDF it may, too.
  const header = latin1.slice(0, 1024).indexOf('%PDF-');
  // Known without guessing the encoding of its bytes, which would hold up the process for tens of milliseconds.
  if (header === 0 || (header > 0 && extension === 'pdf')) return { format: 'pdf' };
  const text = decodeText(head, { declared: declaredEncoding(latin1), cut: true });
  if (header > 0 && text === null) return { format: 'pdf' };
  if (text === null) return refused(latin1.startsWith('MZ') ? refusals.program : reasons.unsupported);
  return ofText(text, extension);
}

/** The encoding that an HTML file names in its head. */
export function declaredEncoding(latin1: string): string | undefined {
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{2,40})/i.exec(latin1.slice(0, 8192))?.[1];
}

function ofText(text: string, extension: string): Detected {
  const start = text.slice(0, 4096).trimStart();
  if (start === '' && text.trim() === '') return { refused: `${reasons['nothing-inside']} ${accepted}` };
  if (start.startsWith('%!PS')) return refused(reasons.unsupported);
  const afterComments = start.replace(/^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)+/, '');
  if (/^<(!doctype\s+html|html|head|body)[\s>]/i.test(afterComments)) return { format: 'html' };
  if (/^<(!doctype\s+svg|svg)[\s>]/i.test(afterComments) || otherText.has(extension))
    return refused(reasons.unsupported);
  if (isMail(start, extension)) return { format: 'eml' };
  if (['csv', 'tsv', 'tab'].includes(extension)) return { format: 'csv' };
  if (['html', 'htm', 'xhtml'].includes(extension)) return { format: /<[a-z!]/i.test(start) ? 'html' : 'text' };
  if (['md', 'markdown', 'mdown', 'mkd'].includes(extension)) return { format: 'markdown' };
  if (/^<\?xml[\s?]/.test(start)) return refused(reasons.unsupported);
  return { format: 'text' };
}

/** The first line of a mail in a mailbox, which is none of its head. */
const mailboxLine = /^\s*(?:>?From \S{1,320} [^\r\n]{1,100}\d{4}\s*\r?\n)?/;

/** A mail's text without what may stand before its head. */
export function fromHead(mail: string): string {
  return mail.replace(mailboxLine, '');
}

/** A mail begins with its headers; in a text that quotes one, few of them follow each other. */
function isMail(start: string, extension: string): boolean {
  const lines = (extension === 'eml' ? fromHead(start) : start).split(/\r?\n(?![ \t])/);
  const end = lines.findIndex((line) => !mailHeaders.test(line) && !/^[\w-]+:\s/.test(line));
  const head = lines.slice(0, end === -1 ? lines.length : end);
  const known = new Set(head.flatMap((line) => mailHeaders.exec(line)?.[1]?.toLowerCase() ?? []));
  if (extension === 'eml') return known.size >= 1;
  return (
    known.has('from') &&
    known.size >= 3 &&
    (known.has('message-id') || known.has('mime-version') || known.has('received'))
  );
}

/** OpenDocument and EPUB begin with an entry `mimetype` that says what they are. */
function ofContainer(head: Uint8Array): Detected | null {
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  if (!start.startsWith('mimetype', 30)) return null;
  const length = start.charCodeAt(18) | (start.charCodeAt(19) << 8);
  const at = 38 + (start.charCodeAt(28) | (start.charCodeAt(29) << 8));
  const format = containers[start.slice(at, at + length).trim()];
  return format ? { format } : null;
}

function ofEntries(entries: string[], fileName: string): Detected | null {
  // Some programs write backslashes.
  const names = entries.map((name) => name.replaceAll('\\', '/'));
  const starts = (prefix: string) => names.some((name) => name.toLowerCase().startsWith(prefix));
  if (starts('word/')) return { format: 'docx' };
  if (names.includes('xl/workbook.bin')) return refused(refusals.xlsb);
  if (starts('xl/')) return { format: 'xlsx' };
  if (starts('ppt/')) return { format: 'pptx' };
  if (names.includes('META-INF/container.xml')) return { format: 'epub' };
  if (names.some((name) => /^index(\.zip$|\/.*\.iwa$)/i.test(name))) return refused(refusals.iwork);
  if (names.includes('META-INF/MANIFEST.MF') || names.includes('AndroidManifest.xml')) return refused(refusals.program);
  const claim = claimOf(fileName);
  // Packed anew by hand, `mimetype` may stand anywhere: its text then is what its name says.
  if (names.includes('content.xml') && claim.kind === 'format' && openDocuments.has(claim.format))
    return { format: claim.format };
  if (names.includes('mimetype') || starts('meta-inf/')) return refused(reasons.unsupported);
  return null;
}

/** Names in the local headers of a zip file whose end has not arrived yet. */
function localEntries(latin1: string): string[] {
  const names: string[] = [];
  for (let at = latin1.indexOf('PK\x03\x04'); at !== -1; at = latin1.indexOf('PK\x03\x04', at + 4)) {
    const length = latin1.charCodeAt(at + 26) | (latin1.charCodeAt(at + 27) << 8);
    names.push(latin1.slice(at + 30, at + 30 + length));
  }
  return names;
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && head[3] === (head[2] ?? 0) + 1;
}

/** The container of old office files, and of new ones with a password. */
function isCompoundFile(head: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, index) => head[index] === byte);
}

/** Names in its directory tell what it is; where that is not at hand, its extension does. */
function refuseCompoundFile(bytes: Uint8Array, name: string): Detected {
  const has = (entry: string) => Buffer.from(bytes).includes(Buffer.from(entry, 'utf16le'));
  const extension = extensionOf(name);
  if (has('EncryptedPackage') || ['docx', 'xlsx', 'xlsm', 'pptx'].includes(extension))
    return { refused: reasons.password };
  if (has('__properties_version') || extension === 'msg') return refused(refusals.msg);
  if (has('WordDocument') || extension === 'doc') return refused(refusals.doc);
  if (has('PowerPoint Document') || extension === 'ppt') return refused(refusals.ppt);
  if (has('Workbook') || extension === 'xls') return refused(refusals.xls);
  return refused(refusals.compound);
}

/** The first bytes, and of a compound file the sector that lists what is in it. */
async function readStart(content: Content): Promise<{ head: Buffer; directory: Buffer }> {
  const head = await content.read(0, headBytes);
  if (!isCompoundFile(head) || head.length < 512) return { head, directory: Buffer.alloc(0) };
  const size = 2 ** Math.min(head.readUInt16LE(30), 12);
  return { head, directory: await content.read((head.readUInt32LE(48) + 1) * size, 4096) };
}

function refused(why: string): Detected {
  return { refused: `${why} ${accepted}` };
}
