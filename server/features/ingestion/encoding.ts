import { readFile, stat } from 'node:fs/promises';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { encodingScores } from './reads-as-text.ts';
import { ParseFailure } from './reasons.ts';

const marks: [encoding: string, bytes: number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** As mails and old terminals wrote it. */
const japaneseMail = 'iso-2022-jp';
/** Bytes of lines with more than ASCII in them that are looked at to tell an encoding: more would only take longer. */
const maxSample = 1024;
/** Bytes of ASCII before the first other one of a line. */
const maxBefore = 200;
/** What a guess of the other detector counts, when it is sure of it. */
const otherDetector = 1.5;
/** As it names encodings, and as they are named here. Each is the whole of which the first is a part. */
const wholes: Record<string, string> = { 'iso-8859-1': 'windows-1252', gb2312: 'gb18030', gbk: 'gb18030' };

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
 * byte is zero, the encoding that the file declares, and last by how it reads.
 * `cut`: the bytes are the head of a file and may end inside a character.
 * @returns null when it is not text: zeros or control characters stand in it.
 */
export function decodeText(
  bytes: Uint8Array,
  { declared, cut = false }: { declared?: string | undefined; cut?: boolean } = {},
): string | null {
  const encoding = encodingOf(bytes, declared, cut);
  const text = encoding === japaneseMail ? new TextDecoder(encoding).decode(bytes) : iconv.decode(bytes, encoding);
  return isText(text) ? text : null;
}

function encodingOf(bytes: Uint8Array, declared: string | undefined, cut: boolean): string {
  const mark = marks.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark) return mark[0];
  const wide = wideEncoding(bytes);
  if (wide) return wide;
  if (isUtf8(bytes, cut)) return hasEscapes(bytes) ? japaneseMail : 'utf-8';
  if (declared && iconv.encodingExists(declared) && !/^utf-?(8|16|32)/i.test(declared)) return declared;
  const sample = sampleOf(bytes);
  return isNearlyUtf8(sample) ? 'utf-8' : likelyEncoding(sample);
}

/** Seven bits, with escapes that switch to Japanese characters. */
function hasEscapes(bytes: Uint8Array): boolean {
  const at = bytes.subarray(0, 64 * 1024).indexOf(0x1b);
  return at !== -1 && /^\$[@B]|^\([IJ]/.test(Buffer.from(bytes.subarray(at + 1, at + 3)).toString('latin1'));
}

/** Some programs write a few bytes of another encoding into a file: the rest is not to be lost with them. */
function isNearlyUtf8(sample: Uint8Array): boolean {
  const text = iconv.decode(sample, 'utf-8');
  const others = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  return others >= 20 && (text.match(/\ufffd/g)?.length ?? 0) <= others / 20;
}

/**
 * By two detectors: how it reads in each encoding, and a library that counts triples of letters, which knows long
 * texts.
 */
function likelyEncoding(sample: Uint8Array): string {
  const guesses = new Map(
    chardet.analyse(sample).map(({ name, confidence }) => {
      const lower = name.toLowerCase();
      return [wholes[lower] ?? lower, (confidence / 100) * otherDetector];
    }),
  );
  const [best] = encodingScores(sample)
    .map(({ encoding, score }) => ({ encoding, score: score + (guesses.get(encoding) ?? 0) }))
    .sort((a, b) => b.score - a.score);
  return best?.encoding ?? 'windows-1252';
}

/**
 * The first lines with more than ASCII in them, and what stands before it: no encoding has an end of line inside a
 * character.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let at = 0, last = 0; size < maxSample; at = last) {
    while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
    if (at === bytes.length) break;
    const start = Math.max(last, at - maxBefore);
    last = at;
    while (last < bytes.length && last - at < maxSample && bytes[last] !== 0x0a && bytes[last] !== 0x0d) last++;
    pieces.push(bytes.subarray(start, last), Uint8Array.of(0x0a));
    size += last - start;
  }
  return Buffer.concat(pieces).subarray(0, maxSample);
}

/**
 * UTF-16 without a mark. No other encoding of text has zeros, and UTF-16 has them in every space and line end; which of
 * two bytes comes first shows in how many of those there are.
 */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 8192);
  if (!sample.includes(0)) return null;
  const candidates = (['utf-16le', 'utf-16be'] as const).map((encoding) => {
    const text = iconv.decode(sample.subarray(0, sample.length - (sample.length % 2)), encoding);
    // Other bytes with zeros in them (programs, pictures) give letters that do not exist.
    const strange = text.match(/[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu)?.length ?? 0;
    const usual = text.match(/[\s\x20-\x7e\u3001\u3002\uff0c]/g)?.length ?? 0;
    return { encoding, usual, fits: strange <= text.length / 100 && isText(text) };
  });
  const [best] = candidates.filter(({ fits }) => fits).sort((a, b) => b.usual - a.usual);
  return best && best.usual > 0 ? best.encoding : null;
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
