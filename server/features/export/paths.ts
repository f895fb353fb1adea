/** A version of a document, as it is to be placed. */
export interface Original {
  documentId: string;
  version: number;
  /** As it was uploaded: where it came from stands in it (`folder › readme.pdf`, `mail.eml › invoice.pdf`). */
  name: string;
  /** Of the mail that it is attached to. */
  parentName: string | null;
  isNewest: boolean;
}

/** Between a file and the folder that it came from. */
const within = ' › ';
/** Of one part; Windows takes 260 characters of a path in all, of which its folder on the reader's disk needs some. */
const maxPart = 100;
/** Most file systems take 255 bytes of it. */
const maxPartBytes = 200;
const maxPath = 180;
const maxExtension = 20;
/** Names that Windows keeps for its devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this replaces
const unsafe = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u202a-\u202e\u2066-\u2069\u200e\u200f\ufffe\uffff]/g;

/**
 * Where each original lies in the zip, in order: below `documents/` the newest versions, below `earlier-versions/`
 * the others. Every path can be unpacked on every system: no part leads out of the folder or has characters that some
 * system refuses, and no two are the same where case and composition of letters don't count.
 */
export function planPaths(originals: readonly Original[]): string[] {
  const taken = new Set<string>();
  // A folder can't have the name of a file beside it: those of all folders are taken first.
  const folders = originals.map((each) => folderOf(each));
  for (const parts of folders)
    for (let depth = 1; depth <= parts.length; depth++) taken.add(keyOf(parts.slice(0, depth)));
  return originals.map((original, i) => {
    const folder = folders[i] ?? [];
    const path = firstFree(original, folder, taken);
    taken.add(keyOf(path));
    return path.join('/');
  });
}

function firstFree(original: Original, folder: string[], taken: ReadonlySet<string>): string[] {
  const { name, version, isNewest, documentId } = original;
  const last = name.split(within).at(-1) ?? name;
  const [stem, extension] = splitName(isNewest ? last : withMark(last, ` (version ${version})`));
  for (let n = 1; n < 10; n++) {
    const path = [...folder, part(n === 1 ? stem : `${stem} (${n})`, extension)];
    if (path.join('/').length <= maxPath && !taken.has(keyOf(path))) return path;
  }
  // Too long, or one of very many of the same name: its own id tells it apart from all others.
  return [folder[0] ?? 'documents', part(`${documentId} ${version}`, extension)];
}

function folderOf({ name, parentName, isNewest }: Original): string[] {
  const root = isNewest ? 'documents' : 'earlier-versions';
  const above = name.split(within).slice(0, -1);
  // Attachments lie beside their mail, in a folder that has another name than the mail itself.
  const mail = parentName === null ? -1 : above.length - 1;
  const parts = above.map((each, i) => part(i === mail ? `${each} attachments` : each, ''));
  return [root, ...parts];
}

function withMark(name: string, mark: string): string {
  const [stem, extension] = splitName(name);
  return `${stem}${mark}${extension}`;
}

function splitName(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && name.length - dot <= maxExtension;
  return hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

/** A part of a path that every system takes. */
function part(stem: string, extension: string): string {
  const clean = (text: string) => text.toWellFormed().normalize('NFC').replace(unsafe, '_');
  const ending = clean(extension).replace(/[. ]+$/, '');
  const room = maxPart - ending.length;
  const marked = /( \(\d+\)| \(version \d+\)| attachments)+$/.exec(stem)?.[0] ?? '';
  const roomBytes = maxPartBytes - Buffer.byteLength(ending) - marked.length;
  const head = shortened(clean(stem.slice(0, stem.length - marked.length)), room - marked.length, roomBytes);
  // Windows drops dots and spaces at the end, and so would take two names for one; `.` and `..` are places.
  const whole = `${head}${marked}${ending}`.replace(/[. ]+$/, '').replace(/^\s+/, '');
  if (whole === '' || /^\.+$/.test(whole)) return `_${ending}`;
  return reserved.test(whole) ? `_${whole}` : whole;
}

/** Its first characters, none of them cut in two. */
function shortened(text: string, length: number, bytes: number): string {
  let cut = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (cut.length + character.length > length || used > bytes) break;
    cut += character;
  }
  return cut;
}

/** What systems compare that know no difference of case. */
function keyOf(path: readonly string[]): string {
  return path.join('/').normalize('NFKC').toUpperCase().toLowerCase();
}
