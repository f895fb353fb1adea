import { AppError } from '#contract/errors.ts';

const maxLength = 255;
/** Of what is taken for one, with its dot. */
const maxExtension = 20;
const maxAttachmentLength = 120;
/** Between a file and what it came in. */
const within = ' › ';
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
const refused = /[/\u0000-\u001f\u007f-\u009f]/;
/** At least one character that can be seen: spaces, joiners and marks of direction can't. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * Checks the name of an uploaded file. The name is kept exactly as it came (Unicode, quotes, emoji) and is never used
 * as a path on a disk; only what can't be shown or addressed is refused.
 * @throws AppError `invalid-file-name`
 */
export function checkFileName(name: string): string {
  if (!isFileName(name)) throw new AppError('invalid-file-name');
  return name;
}

function isFileName(name: string): boolean {
  // The two names that every path takes for a place.
  if (name === '.' || name === '..') return false;
  return visible.test(name) && name.length <= maxLength && !refused.test(name) && name.isWellFormed();
}

/** What "the same name" compares: macOS sends decomposed letters, everyone else composed ones. */
export function nameKey(name: string): string {
  return name.normalize('NFC');
}

/**
 * Names for a file that is kept beside one of the same name, best first: `Plan (2).pdf`, `Plan (3).pdf`, without end.
 * The stem is shortened where the whole would be longer than a name may be.
 */
export function* furtherNames(name: string): Generator<string, never> {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= maxExtension ? name.slice(dot) : '';
  const stem = name.slice(0, name.length - extension.length);
  for (let n = 2; ; n++) {
    const ending = ` (${n})${extension}`;
    yield `${shortened(stem, maxLength - ending.length)}${ending}`;
  }
}

/** Its first characters, none of them cut in two. */
function shortened(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/**
 * The name of a document that came with a mail: `mail.eml › invoice.pdf`. Whoever sent the mail chose the second part:
 * what no name may have is replaced, and both parts are shortened to fit.
 * @param index 0-based, for one without a name
 */
export function attachmentName(mail: string, given: string, index: number): string {
  const clean = given.toWellFormed().replace(new RegExp(refused, 'g'), '_').trim();
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= maxExtension ? clean.slice(dot) : '';
  const stem = shortened(clean.slice(0, clean.length - extension.length), maxAttachmentLength - extension.length);
  const tail = visible.test(clean) ? `${stem}${extension}` : `attachment ${index + 1}`;
  const room = maxLength - tail.length - within.length;
  const head = mail.length > room ? `${shortened(mail, room - 1)}…` : mail;
  return `${head}${within}${tail}`;
}

/** `<companyId>/<name>`: how the specification addresses a file. */
export function filePath(companyId: string, name: string): string {
  return `${companyId}/${name}`;
}

/**
 * The name in a path, where the path lies in this company.
 * @throws AppError `file-not-found` for any other: a foreign path answers like one that does not exist, and so does one
 * that no file can have, which the database would not even take (NUL).
 */
export function nameInPath(companyId: string, path: string): string {
  const name = path.slice(companyId.length + 1);
  if (path !== `${companyId}/${name}` || !isFileName(name)) throw new AppError('file-not-found');
  return name;
}

/** The path in `gs://<bucket>/<path>`. @throws AppError `file-not-found` for another bucket. */
export function pathInUri(bucket: string, gsUri: string): string {
  const prefix = `gs://${bucket}/`;
  if (!gsUri.startsWith(prefix)) throw new AppError('file-not-found');
  return gsUri.slice(prefix.length);
}
