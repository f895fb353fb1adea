import type { Segment } from '#contract/citations.ts';
import { begunAddress, firstAddress } from './addresses.ts';
import { createModelMarkerReader } from './model-markers.ts';
import { notInDocuments } from './prompt.ts';
import { solidIn } from './solid.ts';

/** What is shown keeps its first `from` code units, then goes on with the text. */
interface PreviewChange {
  from: number;
  text: string;
}

/** Until it is checked, a sentence with an address or one that asks for a secret is shown to nobody. */
const isUnsafe =
  /(?<!\p{L})(?:passwor[dt]|passphrase|pin|tan|iban|cvv|api[ -]?key|credentials?|secret|kennwort|zugangsdaten|mots? de passe|contraseña)/iu;
const sentenceEnd = /[.!?。！？]["'»”’)\]*_]*\s|\n/gu;
/** UTF-16 code units. What is longer is shown once it is checked. */
const maxPreview = 20_000;

type Piece = { kind: 'text'; text: string } | { kind: 'marker'; text: string };

/**
 * What a model has written beyond what is checked, as its reader may see it meanwhile: word by word, with its markers,
 * but without sentences that could do harm. Characters that are no blanks are the measure by which it follows what is
 * checked, since blanks come and go with markers.
 *
 * @param passages how many the model was given: other numbers are no markers
 */
export function createPreview(passages: number) {
  const reader = createModelMarkerReader(passages);
  const pieces: Piece[] = [];
  /** All that was written, to know the reply that says that nothing was found. */
  let beginning = '';
  /** What is to be told, and what has been; and whether the one is more than the other with something behind it. */
  let told = '';
  let heard = '';
  let isAnew = false;
  /** Of the pieces' text, as far as it is told or left out. */
  let seen = 0;
  let isLeftOut = false;

  return {
    write(text: string): void {
      if (beginning.length < maxPreview) beginning += text;
      for (const segment of reader.push(text)) add(segment);
      grow();
    },
    /**
     * So much has been checked since, and has come, or was taken out.
     * @param solid characters of it that are no blanks
     * @param withMarkers whether the markers right behind it have come, too
     */
    release(solid: number, withMarkers: boolean): void {
      let left = solid;
      for (let [first] = pieces; first; [first] = pieces) {
        if (left === 0 && !(withMarkers && (first.kind === 'marker' || first.text.trim() === ''))) break;
        const own = first.kind === 'marker' ? 0 : solidIn(first.text);
        if (own > left) {
          first.text = behind(first.text, left);
          break;
        }
        left -= own;
        pieces.shift();
      }
      told = '';
      seen = 0;
      isLeftOut = false;
      isAnew = true;
      grow();
    },
    /** What changes for who has heard all changes so far, if only that nothing does. */
    change(): PreviewChange {
      const from = isAnew ? commonLength(heard, told) : heard.length;
      heard = told;
      isAnew = false;
      return { from, text: told.slice(from) };
    },
    /** Nothing of it is shown any more. */
    clear(): PreviewChange {
      heard = '';
      return { from: 0, text: '' };
    },
    /** Whether something of it is shown. */
    isShown: () => heard !== '',
  };

  function add(segment: Segment): void {
    const last = pieces.at(-1);
    if (segment.kind === 'markers')
      pieces.push({ kind: 'marker', text: segment.numbers.map((n) => `[${n}]`).join('') });
    else if (last?.kind === 'text') last.text += segment.text;
    else pieces.push({ kind: 'text', text: segment.text });
  }

  function grow(): void {
    if (
      notInDocuments.startsWith(beginning.trim().slice(0, notInDocuments.length)) ||
      beginning.includes(notInDocuments)
    )
      return;
    const all = pieces.map(({ text }) => text).join('');
    const isMarkerLast = pieces.at(-1)?.kind === 'marker';
    const end = Math.min(all.length - (isMarkerLast ? 0 : begunAddress(all)), maxPreview);
    let start = seen < end ? sentenceStart(all, seen) : seen;
    while (seen < end) {
      const next = nextSentence(all, seen);
      const rest = all.slice(seen, Math.min(next, end));
      const sentence = all.slice(start, Math.min(next, end));
      if (!isLeftOut && (firstAddress(sentence) !== null || isUnsafe.test(sentence))) {
        isLeftOut = true;
        told += '…';
      }
      if (!isLeftOut) told += rest;
      if (next <= end) isLeftOut = false;
      seen = Math.min(next, end);
      start = seen;
    }
  }
}

/** Where the sentence at a place ends; the end of the text where it is not over. */
function nextSentence(text: string, from: number): number {
  sentenceEnd.lastIndex = from;
  const end = sentenceEnd.exec(text);
  return end ? end.index + end[0].length : Number.POSITIVE_INFINITY;
}

function sentenceStart(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 1000), at);
  const ends = [...before.matchAll(sentenceEnd)].at(-1);
  return Math.max(0, at - 1000) + (ends ? ends.index + ends[0].length : 0);
}

/** The text behind so many characters that are no blanks. */
function behind(text: string, solid: number): string {
  let left = solid;
  let at = 0;
  for (; at < text.length && left > 0; at++) if (!/\s/.test(text.charAt(at))) left--;
  return text.slice(at);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return length;
}
