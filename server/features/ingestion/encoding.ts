import { readFile, stat } from 'node:fs/promises';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { ParseFailure } from './reasons.ts';

const marks: [encoding: string, bytes: number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Bytes that are looked at to tell an encoding. */
const sampleSize = 256 * 1024;
/** A guess below this is worth less than the encoding that most old Western files have. */
const leastConfidence = 30;

/**
 * The text of a whole file.
 * @throws ParseFailure `too-much-text` before it is read, `damaged` when it is not text
 */
export async function readText(path: string, { textBytes }: { textBytes: number }): Promise<string> {
  // It would only fill the memory of whoever reads it.
  if ((await stat(path)).size > textBytes) throw ParseFailure.of('too-much-text');
  const text = decodeText(await readFile(path));
  if (text === null) throw ParseFailure.of('damaged');
  return text;
}

/**
 * The text of a file in any common encoding: by byte order mark, else UTF-8 when it is valid, UTF-16 when every second
 * byte is zero, the encoding that the file declares, and last by its letter frequencies.
 * `cut`: the bytes are the head of a file and may end inside a character.
 * @returns null when it is not text: zeros or control characters stand in it.
 */
export function decodeText(
  bytes: Uint8Array,
  { declared, cut = false }: { declared?: string | undefined; cut?: boolean } = {},
): string | null {
  const encoding = encodingOf(bytes, declared, cut);
  const text = iconv.decode(bytes, encoding, { stripBOM: true });
  return isText(text) ? text : null;
}

function encodingOf(bytes: Uint8Array, declared: string | undefined, cut: boolean): string {
  const mark = marks.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark) return mark[0];
  const wide = wideEncoding(bytes);
  if (wide) return wide;
  if (isUtf8(bytes, cut)) return 'utf-8';
  if (declared && iconv.encodingExists(declared) && !/^utf-?(8|16|32)/i.test(declared)) return declared;
  const sample = bytes.subarray(0, sampleSize);
  const guess = chardet.analyse(sample).find(({ name }) => iconv.encodingExists(name) && !/^utf/i.test(name));
  if (!guess || guess.confidence < leastConfidence || /^iso-8859-1$/i.test(guess.name)) return 'windows-1252';
  return guess.name;
}

/** UTF-16 without a mark: most text has its zeros in every second byte. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 4096);
  const pairs = Math.floor(sample.length / 2);
  if (pairs < 2) return null;
  let even = 0;
  let odd = 0;
  for (let index = 0; index + 1 < sample.length; index += 2) {
    if (sample[index] === 0) even++;
    if (sample[index + 1] === 0) odd++;
  }
  if (odd > pairs * 0.4 && even < pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.4 && odd < pairs * 0.02) return 'utf-16be';
  return null;
}

function isUtf8(bytes: Uint8Array, cut: boolean): boolean {
  try {
    // As a stream, the decoder waits for the rest of a last character instead of failing.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
}

function isText(text: string): boolean {
  let controls = 0;
  let replaced = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0) return false;
    if (code === 0xfffd) replaced++;
    // Tab, line feed, vertical tab, form feed, carriage return, and the escape of old terminal logs are text.
    else if ((code < 32 && (code < 9 || code > 13) && code !== 27) || code === 127) controls++;
  }
  return controls <= 2 + text.length / 200 && replaced <= 2 + text.length / 20;
}
