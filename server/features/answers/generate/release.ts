import { begunAddress, firstAddress, withoutAddresses } from './addresses.ts';
import type { CheckedPart } from './checked-part.ts';
import { solidIn } from './solid.ts';

/**
 * A claim that a sentence of a document supports, in offsets of what the model wrote, markers left out; end exclusive.
 */
export interface SupportedClaim {
  start: number;
  end: number;
  /** What supports it. */
  quotes: string[];
}

type Waiting = { kind: 'text'; text: string; start: number } | Exclude<CheckedPart, { kind: 'text' }>;

/**
 * Gives out what was read of an answer as it comes, but for addresses: they wait for the end of their sentence, and go
 * out as plain text unless a document's sentence supports the claim that they stand in and has them, too.
 */
export function createRelease() {
  let waiting: Waiting[] = [];
  let supported: SupportedClaim[] = [];
  /** How much longer or shorter a text went out than it was written, at its end. */
  const shifts: { at: number; by: number }[] = [];

  return {
    /** @param start where the text begins in what the model wrote */
    text(text: string, start: number): void {
      const last = waiting.at(-1);
      if (last?.kind === 'text') last.text += text;
      else waiting.push({ kind: 'text', text, start });
    },
    /**
     * A marker, or a claim without one.
     * @param at where it stands, where that is not behind the text so far; what is before it must still wait
     */
    part(part: Exclude<CheckedPart, { kind: 'text' }>, at?: number): void {
      const place = at === undefined ? -1 : waiting.findIndex((each) => each.kind === 'text' && endOf(each) > at);
      const cut = waiting[place];
      if (at === undefined || cut?.kind !== 'text') {
        waiting.push(part);
        return;
      }
      const before = { ...cut, text: cut.text.slice(0, Math.max(0, at - cut.start)) };
      const behind = { ...cut, text: cut.text.slice(before.text.length), start: cut.start + before.text.length };
      waiting.splice(place, 1, ...(before.text === '' ? [] : [before]), part, behind);
    },
    supported(claim: SupportedClaim): void {
      supported.push(claim);
    },
    /** The sentence is over: all that waits goes out. */
    closed(): CheckedPart[] {
      const parts = waiting.flatMap(toPart);
      waiting = [];
      supported = [];
      return parts;
    },
    /** What of an open sentence can go out whatever comes. */
    open(): CheckedPart[] {
      const parts: CheckedPart[] = [];
      while (waiting.length > 0) {
        const [first] = waiting;
        if (first?.kind !== 'text') {
          waiting.shift();
          if (first) parts.push(...toPart(first));
          continue;
        }
        const { text, start } = first;
        const begun = waiting.length > 1 ? 0 : begunAddress(text);
        const safe = Math.min(firstAddress(text) ?? text.length, text.length - begun);
        if (safe > 0) parts.push({ kind: 'text', text: text.slice(0, safe) });
        if (safe < text.length) {
          waiting[0] = { kind: 'text', text: text.slice(safe), start: start + safe };
          break;
        }
        waiting.shift();
      }
      return parts;
    },
  };

  function endOf({ start, text }: { start: number; text: string }): number {
    return start + text.length;
  }

  function toPart(part: Waiting): CheckedPart[] {
    if (part.kind !== 'text') return [{ ...part, start: given(part.start), end: given(part.end) }];
    const { text, start } = part;
    const end = start + text.length;
    const claim = supported.find((each) => each.start < end && each.end > start);
    const quotes = claim?.quotes.map((quote) => quote.toLowerCase()) ?? [];
    const plain = withoutAddresses(text, (address) => quotes.some((quote) => quote.includes(address.toLowerCase())));
    if (plain.length !== text.length) shifts.push({ at: end, by: plain.length - text.length });
    return [{ kind: 'text', text: plain, ...(plain !== text && { solid: solidIn(text) }) }];
  }

  /** An offset into what the model wrote as one into what went out. */
  function given(offset: number): number {
    let place = offset;
    for (const { at, by } of shifts) if (at <= offset) place += by;
    return place;
  }
}
