import { open } from 'node:fs/promises';
import { listEntries } from './archive.ts';
import { type Format, formats } from './document.ts';
import { decodeText } from './encoding.ts';
import { ParseFailure, reasons } from './reasons.ts';

export type Detected = { format: Format } | { refused: string };

const headBytes = 64 * 1024;
const maxEntries = 10_000;

const labels = Object.values(formats).map(({ label }) => label);
const accepted = `Accepted are ${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}.`;

/** Text that is a document of another kind, by its extension: its syntax would be read as if it were prose. */
const otherText = new Set('csv tsv eml mbox rtf svg xml json jsonl ipynb ics vcf ps eps js css sql'.split(' '));

/**
 * Tells what a whole file is: as `detectFormat`, and looks into the directory of a zip container.
 * @throws what opening and reading the file throws
 */
export async function detectFile(path: string, name: string): Promise<Detected> {
  const { head, directory } = await readStart(path);
  if (isCompoundFile(head)) return refuseCompoundFile(Buffer.concat([head, directory]), name);
  if (!isZip(head)) return detectFormat(head, name);
  try {
    return ofEntries(await listEntries(path, { entries: maxEntries })) ?? refused('This archive cannot be read.');
  } catch (error) {
    if (error instanceof ParseFailure) return { refused: error.reason };
    throw error;
  }
}

/**
 * Tells from a file's first bytes (the more the better; 64 KB are plenty) which format it has. What the content is
 * decides; the extension only tells one kind of text, or an unclear zip container, from another.
 * `refused` is a plain sentence that lists what is accepted.
 */
export function detectFormat(head: Uint8Array, name: string): Detected {
  if (head.length === 0) return { refused: `${reasons.empty} ${accepted}` };
  const extension = extensionOf(name);
  const latin1 = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  if (isCompoundFile(head)) return refuseCompoundFile(head, name);
  if (isZip(head)) {
    const known = ofEntries(localEntries(latin1));
    if (known) return known;
    // The names that tell may stand further back.
    if (extension === 'docx') return { format: 'docx' };
    if (extension === 'xlsx' || extension === 'xlsm') return { format: 'xlsx' };
    return refused('This archive cannot be read.');
  }
  const text = decodeText(head, { declared: declaredEncoding(latin1), cut: true });
  // The header of a PDF may stand anywhere in the first kilobyte; in prose about PDF it may, too.
  const header = latin1.slice(0, 1024).indexOf('%PDF-');
  if (header === 0 || (header > 0 && (text === null || extension === 'pdf'))) return { format: 'pdf' };
  if (text === null) return refused(reasons.unsupported);
  return ofText(text, extension);
}

/** The encoding that an HTML file names in its head. */
export function declaredEncoding(latin1: string): string | undefined {
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{2,40})/i.exec(latin1.slice(0, 8192))?.[1];
}

function ofText(text: string, extension: string): Detected {
  const start = text.slice(0, 4096).trimStart();
  if (start === '' && text.trim() === '') return { refused: `${reasons['nothing-inside']} ${accepted}` };
  if (start.startsWith('{\\rtf') || start.startsWith('%!PS')) return refused(reasons.unsupported);
  const afterComments = start.replace(/^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)+/, '');
  if (/^<(!doctype\s+html|html|head|body)[\s>]/i.test(afterComments)) return { format: 'html' };
  if (/^<(!doctype\s+svg|svg)[\s>]/i.test(afterComments) || otherText.has(extension))
    return refused(reasons.unsupported);
  if (['html', 'htm', 'xhtml'].includes(extension)) return { format: /<[a-z!]/i.test(start) ? 'html' : 'text' };
  if (['md', 'markdown', 'mdown', 'mkd'].includes(extension)) return { format: 'markdown' };
  if (/^<\?xml[\s?]/.test(start)) return refused(reasons.unsupported);
  return { format: 'text' };
}

function ofEntries(names: string[]): Detected | null {
  const starts = (prefix: string) => names.some((name) => name.toLowerCase().startsWith(prefix));
  if (starts('word/')) return { format: 'docx' };
  if (names.includes('xl/workbook.bin'))
    return refused('A binary workbook (XLSB) cannot be read; please save it as XLSX.');
  if (starts('xl/')) return { format: 'xlsx' };
  if (starts('ppt/') || names.includes('mimetype') || starts('meta-inf/')) return refused(reasons.unsupported);
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

function refuseCompoundFile(bytes: Uint8Array, name: string): Detected {
  const encrypted = Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'));
  if (encrypted || ['docx', 'xlsx', 'xlsm', 'pptx'].includes(extensionOf(name))) return { refused: reasons.password };
  return refused('Files of older office programs cannot be read.');
}

/** The first bytes, and of a compound file the sector that lists what is in it. */
async function readStart(path: string): Promise<{ head: Buffer; directory: Buffer }> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    const directory = Buffer.alloc(4096);
    let listed = 0;
    if (isCompoundFile(head)) {
      const sector = head.readUInt32LE(48);
      const size = 2 ** Math.min(head.readUInt16LE(30), 12);
      listed = (await file.read(directory, 0, directory.length, (sector + 1) * size)).bytesRead;
    }
    return { head: head.subarray(0, bytesRead), directory: directory.subarray(0, listed) };
  } finally {
    await file.close();
  }
}

function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

function refused(why: string): Detected {
  return { refused: `${why} ${accepted}` };
}
