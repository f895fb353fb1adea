import { AppError } from '#contract/errors.ts';

const maxLength = 255;
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
