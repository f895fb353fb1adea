import { SaxesParser } from 'saxes';
import { ParseFailure } from '../reasons.ts';
import type { SheetRow } from './sheet-row.ts';
import type { CellFormats } from './xlsx-formats.ts';

/** What lies further right stands in the last cell: a file may claim 16,384 columns for one word. */
const maxColumns = 2000;
/** Bytes that are read before the rows in them are handed on. */
const pieceSize = 256 * 1024;

interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/** Takes what an XML part says while it is read: a tree of a sheet would take many times its memory. */
interface Listener {
  open(tag: Tag): void;
  close(name: string): void;
  text(text: string): void;
}

/** The strings that cells refer to, by their number. How a word is pronounced is left out. */
export function sharedStrings(bytes: Buffer | null): string[] {
  const strings: string[] = [];
  if (!bytes) return strings;
  let text = '';
  let isText = false;
  let phonetic = 0;
  const pieces = piecesOf(bytes, {
    open({ name }) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic++;
      isText = name === 't' && phonetic === 0;
    },
    close(name) {
      if (name === 'si') strings.push(unescaped(text));
      if (name === 'rPh') phonetic--;
      isText = false;
    },
    text(piece) {
      if (isText) text += piece;
    },
  });
  for (const _piece of pieces);
  return strings;
}

/** The rows of a sheet that are not empty, each cell as the program shows it. */
export function* sheetCells(
  bytes: Buffer,
  { strings, formats }: { strings: readonly string[]; formats: CellFormats },
): Generator<SheetRow> {
  let rows: SheetRow[] = [];
  let index = -1;
  let cells: string[] = [];
  let cell: { column: number; type: string; style: number; value: string } | undefined;
  let column = -1;
  let isValue = false;
  let phonetic = 0;
  const listener: Listener = {
    open({ name, attributes }) {
      if (name === 'row') {
        index = Number(attributes.r ?? index + 2) - 1;
        cells = [];
        column = -1;
      } else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1;
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '' };
      } else if (name === 'rPh') phonetic++;
      isValue = phonetic === 0 && (name === 'v' || name === 't');
    },
    close(name) {
      isValue = false;
      if (name === 'rPh') phonetic--;
      if (name === 'c' && cell) {
        const { type, style, value } = cell;
        const text = type === 's' ? (strings[Number(value)] ?? '') : formats.show(unescaped(value), { type, style });
        const at = Math.min(cell.column, maxColumns - 1);
        while (cells.length <= at && text !== '') cells.push('');
        if (text !== '') cells[at] = `${cells[at] ?? ''} ${text}`.trim();
        cell = undefined;
      }
      if (name === 'row' && cells.some((each) => each !== '')) rows.push({ index, cells });
    },
    text(piece) {
      if (isValue && cell) cell.value += piece;
    },
  };
  for (const _piece of piecesOf(bytes, listener)) {
    yield* rows;
    rows = [];
  }
}

/** Reads an XML part piece by piece. @throws ParseFailure `damaged` when it is no XML */
function* piecesOf(bytes: Buffer, listener: Listener): Generator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  parser.on('opentag', ({ name, attributes }) => listener.open({ name: localName(name), attributes }));
  parser.on('closetag', ({ name }) => listener.close(localName(name)));
  parser.on('text', (text) => listener.text(text));
  parser.on('cdata', (text) => listener.text(text));
  parser.on('error', () => {
    throw ParseFailure.of('damaged');
  });
  const mark = bytes.toString('hex', 0, 2);
  const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8');
  for (let at = 0; at < bytes.length; at += pieceSize) {
    parser.write(decoder.decode(bytes.subarray(at, at + pieceSize), { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** `_x000D_` stands for a character that XML can't hold, `_x005F_` for the line before such a one. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Of `C7`: 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
