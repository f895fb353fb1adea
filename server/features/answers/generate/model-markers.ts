import { parseMarkers, type Segment } from '#contract/citations.ts';

/**
 * The markers in what a model writes, in all the shapes that models use beside `[1]`: `[passage 2]`, `[^2]`, `(Source
 * 2)`, `【2†source】`, `[[2]]`, `[2](#ref)`, `<sup>2</sup>`, and `(2)` at the end of a sentence. What is shown has `[n]`
 * alone.
 */

/** Words that may stand before a number, in every language that is asked for one. */
const words = [
  ...[
    'passages',
    'passage',
    'sources',
    'source',
    'documents',
    'document',
    'docs',
    'doc',
    'references',
    'reference',
    'refs',
    'ref',
  ],
  ...[
    'citations',
    'citation',
    'cites',
    'cite',
    'footnote',
    'see',
    'from',
    'cf',
    'quellen',
    'quelle',
    'passagen',
    'dokumente',
  ],
  ...['dokument', 'fussnote', 'fußnote', 'siehe', 'vgl', 'extraits', 'extrait', 'voir', 'référence', 'réf'],
  ...[
    'fuentes',
    'fuente',
    'pasajes',
    'pasaje',
    'documento',
    'referencia',
    'véase',
    'ver',
    '#',
    'and',
    'und',
    'et',
    'y',
  ],
];
const word = `(?:${words.toSorted((one, other) => other.length - one.length).join('|')})`;
const joint = String.raw`[\s.:,;&_^#–-]|${word}`;
const list = String.raw`(?:${joint}){0,6}\d{1,3}(?!\d)(?:(?:${joint}){1,6}\d{1,3}(?!\d)){0,11}`;
/** What services put behind the number: `【2†source】`, `[2†L4-L9]`. */
const tail = String.raw`(?:\s*†[^\]】）)］\n]{0,40})?`;
const inSquare = new RegExp(String.raw`^[[【［]{1,2}\s*(${list})\s*\^?\s*${tail}[\]】］]{1,2}`, 'iu');
const inRound = new RegExp(
  String.raw`^[(（]\s*((?:${word})[\s.:_#-]*${list}|(?:${word})[\s.:_#-]*\d{1,3})\s*[)）]`,
  'iu',
);
const bare = /^[(（]\s*(\d{1,2}(?:\s*[,;]\s*\d{1,2}){0,5})\s*[)）]/u;
const raised = /^<sup>\s*\[?\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3}){0,5})\s*\]?\s*<\/sup>/iu;
/** Where a marker is written as a link. */
const target = /^\((?:#|https?:|\.|\/)[^()\s]{0,200}\)/iu;
const mayTarget = /^\((?:$|#|h|\.|\/)/iu;
const maxTarget = 210;

const opening = /[[【［(（<]/u;
/** A text that has run on so long without an end is no marker. */
const maxLength = 80;
/** A bare number in brackets is a part of the text behind these: "§ 5 (2)", "No. (3)", "two (2)". */
const counted =
  'one|two|three|four|five|six|seven|eight|nine|ten|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|un|deux|trois|quatre|cinq|sept|huit|neuf|dix|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez';
const parted =
  '§+|(?:no|nr|art|abs|clause|section|article|paragraph|step|item|option|absatz|satz|ziffer|schritt|alinéa|étape|apartado|paso)\\.?';
const notBefore = new RegExp(
  String.raw`(?:\d|(?<!\p{L})(?:${parted})\s*[\d.]*\s|(?<!\p{L})(?:${parted}|${counted})\s*)$`,
  'iu',
);
/** Behind a marker in round brackets the sentence or cell ends. */
const endsBehind = /^\s*(?:$|[.,;:!?|\n。！？]|[[【［(（<])/u;
const contextLength = 40;

/**
 * Reads what a model writes, in pieces cut anywhere, also inside a marker.
 * @param count of the passages that it was given: a bare number in round brackets above it is text
 */
export function createModelMarkerReader(count: number): { push(piece: string): Segment[]; end(): Segment[] } {
  let held = '';
  /** What came right before `held`. */
  let before = '';
  return {
    push: (piece) => {
      held += piece;
      return read(false);
    },
    end: () => read(true),
  };

  function read(isWhole: boolean): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      const at = held.search(opening);
      if (at === -1) {
        give(segments, held.length);
        return segments;
      }
      give(segments, at);
      const found = markerAt(isWhole);
      if (found === 'open') return segments;
      if (found === null) {
        give(segments, 1);
        continue;
      }
      const raw = held.slice(0, found.length);
      segments.push({ kind: 'markers', numbers: found.numbers, raw });
      before = `${before}${raw}`.slice(-contextLength);
      held = held.slice(found.length);
    }
  }

  function give(segments: Segment[], length: number): void {
    if (length === 0) return;
    const text = held.slice(0, length);
    const last = segments.at(-1);
    if (last?.kind === 'text') last.text += text;
    else segments.push({ kind: 'text', text });
    before = `${before}${text}`.slice(-contextLength);
    held = held.slice(length);
  }

  /** The marker at the start of what is held; `open` while more must come to tell. */
  function markerAt(isWhole: boolean): { numbers: number[]; length: number } | 'open' | null {
    // No marker goes over two lines.
    const [line = ''] = held.split('\n', 1);
    const square = inSquare.exec(line);
    if (square) return ending(square, isWhole);
    const round = inRound.exec(line) ?? raised.exec(line);
    if (round) return { numbers: numbersOf(round[1] ?? ''), length: round[0].length };
    const number = bare.exec(line);
    if (number) {
      const behind = held.slice(number[0].length);
      const numbers = numbersOf(number[1] ?? '');
      const isText =
        numbers.length === 0 ||
        numbers.some((n) => n > count) ||
        /^\s*$|[\n|]\s*$/u.test(before) ||
        notBefore.test(before);
      if (isText) return null;
      if (!isWhole && /^[ \t]*$/.test(behind)) return behind.length < maxLength ? 'open' : null;
      return endsBehind.test(behind) ? { numbers, length: number[0].length } : null;
    }
    return !isWhole && mayBegin(held) ? 'open' : null;
  }

  /** With the target of a link behind it, and the second half of `[[2]]`. */
  function ending(found: RegExpExecArray, isWhole: boolean): { numbers: number[]; length: number } | 'open' | null {
    const [raw, inner = ''] = found;
    const numbers = numbersOf(inner);
    if (numbers.length === 0) return null;
    const behind = held.slice(raw.length);
    const isDouble = /^[[【［]{2}/u.test(raw) && !/[\]】］]{2}$/u.test(raw);
    if (!isWhole && (behind === '' || (mayTarget.test(behind) && behind.length < maxTarget && !/[)\s]/.test(behind))))
      return 'open';
    if (isDouble && /^[\]】］]/u.test(behind)) return { numbers, length: raw.length + 1 };
    return { numbers, length: raw.length + (target.exec(behind)?.[0].length ?? 0) };
  }
}

/** Whether a text that begins with a bracket may still become a marker. */
function mayBegin(text: string): boolean {
  if (text.length > maxLength || text.includes('\n')) return false;
  if (text.startsWith('<')) return '<sup>'.startsWith(text.slice(0, 5).toLowerCase()) && !/<\/sup>/i.test(text);
  const inner = text.slice(1);
  if (/[\]】］)）]/u.test(inner)) return false;
  const [, letters = ''] = /^[[【［]?[\s^#]*(\p{L}*)/u.exec(inner) ?? [];
  const isRest = /^[[【［]?[\s^#]*\p{L}*[\s.:,;&_^#–\p{L}\d°º-]*(?:†.*)?$/u.test(inner);
  return (
    isRest &&
    (letters === '' ||
      words.some((each) => each.startsWith(letters.toLowerCase()) || letters.toLowerCase().startsWith(each)))
  );
}

/** The numbers of a list, ranges written out; none where it can't be meant as citations. */
function numbersOf(inner: string): number[] {
  const plain = inner
    .replaceAll(/(?:and|und|et|y|&)/giu, ',')
    .replaceAll(/[^\d,;–-]+/gu, ' ')
    .trim();
  const joined = plain
    .replaceAll(/\s*([,;–-])\s*/g, '$1')
    .replaceAll(/\s+/g, ',')
    .replaceAll(/[,;]+/g, ',')
    .replaceAll(/^[,;–-]+|[,;–-]+$/g, '');
  const [only, ...others] = parseMarkers(`[${joined}]`);
  return only?.kind === 'markers' && others.length === 0 ? only.numbers : [];
}
