/** What an RTF file is made of. Bytes stand for characters of a code page that only the reader knows. */
export type RtfToken =
  | { type: 'open' }
  | { type: 'close' }
  | { type: 'word'; name: string; value: number | null }
  | { type: 'bytes'; bytes: string };

const syntax = /\{|\}|\\'([0-9a-fA-F]{2})|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\([^a-zA-Z])|[^{}\\\r\n]+|[\r\n]+/gy;

/** Symbols that are written as a backslash and one character. */
const symbols: Record<string, string> = { '~': ' ', _: '-', '\\': '\\', '{': '{', '}': '}' };

/** @param rtf the file's bytes, each as one character */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  syntax.lastIndex = 0;
  for (let match = syntax.exec(rtf); match; match = syntax.exec(rtf)) {
    const [all, hex, name, value, symbol] = match;
    const after = syntax.lastIndex;
    if (all === '{') yield { type: 'open' };
    else if (all === '}') yield { type: 'close' };
    else if (hex !== undefined) yield { type: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (name === 'bin') syntax.lastIndex = after + Math.max(Number(value ?? 0), 0);
    else if (name !== undefined) yield { type: 'word', name, value: value === undefined ? null : Number(value) };
    else if (symbol === '*') yield { type: 'word', name: '*', value: null };
    else if (symbol === '\r' || symbol === '\n') yield { type: 'word', name: 'par', value: null };
    else if (symbol !== undefined) yield { type: 'bytes', bytes: symbols[symbol] ?? '' };
    else if (!/^[\r\n]/.test(all)) yield { type: 'bytes', bytes: all };
    // The generator may have been read elsewhere in between.
    if (name !== 'bin') syntax.lastIndex = after;
  }
}
