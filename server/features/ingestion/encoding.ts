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
  return rareEncoding(sample, guess?.name) ?? likelyEncoding(guess);
}

function likelyEncoding(guess: { name: string; confidence: number } | undefined): string {
  if (!guess || guess.confidence < leastConfidence || /^iso-8859-1$/i.test(guess.name)) return 'windows-1252';
  return guess.name;
}

/**
 * UTF-16 without a mark. No other encoding of text has zeros, and UTF-16 has them in every space and line end; which of two
 * bytes comes first shows in how many of those there are.
 */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 8192);
  if (!sample.includes(0)) return null;
  const readings = (['utf-16le', 'utf-16be'] as const).map((encoding) => {
    const text = iconv.decode(sample.subarray(0, sample.length - (sample.length % 2)), encoding);
    // Other bytes with zeros in them (programs, pictures) give letters that do not exist.
    const strange = text.match(/[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu)?.length ?? 0;
    const usual = text.match(/[\s\x20-\x7e\u3001\u3002\uff0c]/g)?.length ?? 0;
    return { encoding, usual, fits: strange <= text.length / 100 && isText(text) };
  });
  const [best] = readings.filter(({ fits }) => fits).sort((a, b) => b.usual - a.usual);
  return best && best.usual > 0 ? best.encoding : null;
}

/** Encodings that letter frequencies mistake for others: Thai for Chinese, those of DOS and old Macs for Western ones. */
function rareEncoding(sample: Uint8Array, guess: string | undefined): string | null {
  if (isThai(iconv.decode(sample, 'windows-874'))) return 'windows-874';
  if (guess && !/^(iso-8859-[1-9]|windows-125[0-9])$/i.test(guess)) return null;
  const dos = iconv.decode(sample, 'cp866');
  const cyrillic = dos.match(/[а-яё]/giu)?.length ?? 0;
  const vowels = dos.match(/[оеаи]/gu)?.length ?? 0;
  if (cyrillic > 10 && cyrillic > foreignCount(dos) * 0.9 && vowels > cyrillic * 0.25) return 'cp866';
  if (guess && !/^(iso-8859-[129]|windows-125[0248])$/i.test(guess)) return null;
  const [mac, western] = ['macroman', 'windows-1252'].map((name) => usualLetters(iconv.decode(sample, name)));
  return (mac ?? 0) > (western ?? 0) ? 'macroman' : null;
}

/** Vowel signs and tone marks stand on consonants, leading vowels before one, and no letter makes up most of a text. */
function isThai(text: string): boolean {
  const letters = text.match(/[\u0e01-\u0e4e]/g) ?? [];
  const misplaced =
    text.match(/(?<![\u0e01-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/g) ?? [];
  const early = letters.filter((letter) => letter < '\u0e20').length;
  const most = Math.max(
    0,
    ...Map.groupBy(letters, (letter) => letter)
      .values()
      .map((same) => same.length),
  );
  return (
    letters.length > Math.max(10, foreignCount(text) * 0.95) &&
    misplaced.length < letters.length / 50 &&
    early > letters.length * 0.25 &&
    most < letters.length * 0.2
  );
}

function foreignCount(text: string): number {
  return text.match(/[^\0-\x7f]/g)?.length ?? 0;
}

/** Letters of Western languages, less the signs that hardly stand inside a word of them. */
function usualLetters(text: string): number {
  const usual = text.match(/[äöüßéèêëàâáíóúñçôîïûùæœøåãõ„“”’–€«»]/giu)?.length ?? 0;
  const strange = text.match(/(?<=\p{L})[^\0-\x7fäöüßéèêëàâáíóúñçôîïûùæœøåãõ„“”’–€«»\s](?=\p{L})/giu)?.length ?? 0;
  return usual - 2 * strange;
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
