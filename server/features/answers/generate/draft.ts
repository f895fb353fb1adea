import { randomUUID } from 'node:crypto';
import type { AnswerClaim, UnsupportedClaim } from '#contract/calls/answers.ts';
import type { CallMessage } from '#contract/calls.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import type { CitedQuote } from '../answer-text.ts';
import { sourceOf } from '../source.ts';
import type { CheckedPart, Citation } from './checked-part.ts';
import { createCitationReader } from './citation-reader.ts';
import { createPreview } from './preview.ts';
import { createHolding, type SecondReading } from './second-reading.ts';
import { solidIn } from './solid.ts';
import type { SuppliedPassage } from './supplied.ts';

/** PostgreSQL refuses NUL; the others only serve to take a word or an address apart where nobody sees it. */
const unseen = /[\0\u00ad\u200b\u2060\ufeff]/g;

type Message = CallMessage<'query'>;

/**
 * An answer while a model writes it. Nothing is given out as checked before the first quote that supports a claim is
 * found; what the model has written beyond is given out apart, word by word, to be shown as being checked.
 */
export function createDraft(
  passages: SuppliedPassage[],
  weigh: (text: string) => Question,
  second?: { reading: SecondReading; signal: AbortSignal; onDecided: () => void },
) {
  const reader = createCitationReader(passages, weigh);
  const holding = second && createHolding(second.reading, passages, second);
  const cited: CitedQuote[] = [];
  const numbers = new Map<string, number>();
  const unsupported: UnsupportedClaim[] = [];
  const unchecked: AnswerClaim[] = [];
  /** Passages that the model named for what words cannot decide on. */
  const named = new Set<number>();
  let answer = '';
  /** Blanks at the end: with a marker that was taken away they go, too. */
  let blanks = '';
  /** Length of the answer without its markers, and where in that length each marker stands, or blanks are missing. */
  let length = 0;
  const markers: { at: number; length: number }[] = [];
  let held: Message[] = [];
  const preview = createPreview(passages.length);
  /** A draft has been given out. */
  let isPreviewed = false;
  /** Of what the model wrote, characters that are checked and not yet taken out of the preview. */
  let released = 0;
  let isBehindMarker = false;
  /**
   * The model has named a source that holds. What was found for it alone is not enough: it may only repeat an order.
   */
  let isProven = false;
  /** It may be shown: it is proven, or has claims with sources on which words cannot decide. */
  let isOpen = false;

  return {
    /** @returns what may be shown now */
    push: async (piece: string): Promise<Message[]> => {
      const text = piece.replaceAll(unseen, '');
      preview.write(text);
      return previewed(take(passed(await reader.push(text))));
    },
    /** What may be shown since the second reader has spoken. */
    decided: (): Message[] => previewed(take(holding?.decided() ?? [])),
    /** @param isCut it ends where it should not: half a sentence gets no number, and is seen to be one */
    end: async ({ isCut = false } = {}): Promise<Message[]> => {
      const parts = passed(await reader.end({ isCut }));
      const shown = take([...parts, ...((await holding?.rest()) ?? []), { kind: 'end', isCut }]);
      return shown.length > 0 ? between(shown, preview.clear()) : clearing();
    },
    /** Takes back what is shown unchecked. */
    clear: (): Message[] => clearing(),
    /** What the model has said so far, without its markers' numbers where they did not hold. */
    answer: () => answer,
    /** Empty where nothing of it may be shown. */
    cited: (): readonly CitedQuote[] => (isOpen ? cited : []),
    unsupported: (): readonly UnsupportedClaim[] => unsupported,
    unchecked: (): readonly AnswerClaim[] => unchecked,
    /** Whether a reader may see it: a source that the model named holds, or words could not decide on it. */
    isShown: () => isOpen,
    /** The passages that the model named for what could not be checked, in their order. */
    named: (): SuppliedPassage[] => passages.filter((_, i) => named.has(i)),
    /** What the second reader has cost. */
    usage: () => holding?.usage(),
  };

  /** With what is shown unchecked behind them. */
  function previewed(messages: Message[]): Message[] {
    if (messages.length > 0) {
      preview.release(released, isBehindMarker);
      released = 0;
      return between(messages, preview.change());
    }
    const change = preview.change();
    if (change.text === '') return [];
    isPreviewed = true;
    return [{ type: 'draft', ...change }];
  }

  /**
   * Whoever draws between two of them would show words twice, or a claim before it is marked: a draft ends what belongs
   * together.
   */
  function between(messages: Message[], change: { from: number; text: string }): Message[] {
    const first: Message[] = isPreviewed ? [] : [{ type: 'draft', from: 0, text: '' }];
    isPreviewed = true;
    return [...first, ...messages, { type: 'draft', ...change }];
  }

  function clearing(): Message[] {
    return preview.isShown() ? [{ type: 'draft', ...preview.clear() }] : [];
  }

  function passed(parts: CheckedPart[]): CheckedPart[] {
    return holding ? holding.take(parts) : parts;
  }

  function take(parts: (CheckedPart | { kind: 'end'; isCut: boolean })[]): Message[] {
    for (const part of parts) {
      if (part.kind === 'text') released += part.solid ?? solidIn(part.text);
      if (part.kind !== 'text' || part.text.trim() !== '') isBehindMarker = part.kind !== 'text';
      if (part.kind === 'text') {
        const all = blanks + part.text;
        const text = all.replace(/[ \t]+$/, '');
        blanks = all.slice(text.length);
        if (text !== '') add(text);
        length += part.text.length;
      } else if (part.kind === 'citation') {
        cite(part.citation, part.citation.n === 0);
        isProven ||= part.isFound !== true;
      } else if (part.kind === 'end') {
        if (blanks !== '') add(blanks);
        blanks = '';
        if (part.isCut && /[\p{L}\p{N},;:–-]\s*$/u.test(answer)) add('…');
      } else mark(part);
    }
    isOpen ||= isProven || named.size > 0;
    if (!isOpen) return [];
    const shown = held;
    held = [];
    return shown;
  }

  function mark(part: Extract<CheckedPart, { start: number; kind: 'unsupported' | 'unchecked' }>): void {
    // Behind a claim that has lost its marker.
    if (blanks !== '' && part.end < length) {
      markers.push({ at: length - blanks.length, length: -blanks.length });
      blanks = '';
    }
    const range = { start: inAnswer(part.start, true), end: inAnswer(part.end, false) };
    if (part.kind === 'unchecked') {
      for (const { isNamed, passage } of part.pairs) if (isNamed) named.add(passage);
      unchecked.push(range);
      held.push({ type: 'unchecked', claim: range });
      return;
    }
    const reason = part.why === 'absent' ? ('not-found' as const) : ('contradicted' as const);
    const claim = { ...range, reason };
    unsupported.push(claim);
    held.push({ type: 'unsupported', claim });
  }

  /** @param isRestored the marker was taken out as it was read, with the blank before it */
  function cite({ passage: index, unit }: Citation, isRestored: boolean): void {
    const passage = passages[index];
    if (!passage) return;
    const n = numberOf(`${index} ${unit.start}`);
    // Two sources of one claim may come down to one sentence.
    const last = markers.at(-1);
    if (last?.at === length && answer.endsWith(`[${n}]`)) return;
    if (!cited.some((each) => each.n === n)) {
      const { documentId, version, name } = passage;
      const quote = { id: randomUUID(), n, documentId, version, name, ...unit };
      cited.push(quote);
      held.push({ type: 'citation', source: sourceOf(quote) });
    }
    if (blanks !== '') add(blanks);
    blanks = '';
    const marker = isRestored && !/\s$/.test(answer) ? ` [${n}]` : `[${n}]`;
    markers.push({ at: length, length: marker.length });
    add(marker);
  }

  /** By first use: of those that the reader of the answer numbered, some are taken away again. */
  function numberOf(quote: string): number {
    const n = numbers.get(quote) ?? numbers.size + 1;
    numbers.set(quote, n);
    return n;
  }

  function add(text: string): void {
    answer += text;
    // What waits for the first source would else be thousands of messages at once.
    const last = held.at(-1);
    if (last?.type === 'token') last.text += text;
    else held.push({ type: 'token', text });
  }

  /**
   * An offset into the text without markers as one into the answer. A claim begins behind a marker, and ends before it.
   */
  function inAnswer(offset: number, isStart: boolean): number {
    let place = offset;
    for (const marker of markers) {
      if (marker.at < offset || (isStart && marker.at === offset)) place += marker.length;
    }
    while (isStart && /\s/.test(answer.charAt(place))) place++;
    return place;
  }
}
