import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { analyze } from '#server/lib/analyze.ts';
import { optionalService } from '#server/lib/optional-service.ts';
import type { Judgement, ModelUsage, SecondReader } from '#server/ports/language-model/port.ts';
import type { Unit } from '../extract/unit.ts';
import type { CheckedPair, CheckedPart, Why } from './checked-part.ts';
import type { SupportingPassage } from './claim-check/passage.ts';

/** Somebody waits; words have decided by then, too. */
const timeoutMs = 5000;
/** Of one answer: what is beyond is left to words. */
const maxPairs = 48;
const maxRequests = 6;
/** So many are asked about together while the answer goes on. */
const pairsAtOnce = 4;
/** Passages of one claim that are asked about. */
const maxPassages = 2;
/** UTF-16 code units around a sentence: what it refers to stands there. */
const aroundLength = 400;
const maxRemembered = 2000;

/** Asks a second reader, with a memory of what it said. For all companies: nothing but hashes is kept. */
export interface SecondReading {
  /** The judgements, null where there are none; and what they cost. @throws the signal's reason */
  ask(pairs: readonly AskedPair[], signal: AbortSignal): Promise<Reply | null>;
}
interface AskedPair {
  statement: string;
  passage: string;
}
interface Reply {
  judgements: Judgement[];
  usage?: ModelUsage | undefined;
}

/** @param reader has a few seconds for each request, and is left alone for a while where it fails */
export function createSecondReading(reader: SecondReader, log?: Logger): SecondReading {
  const service = optionalService({ name: `second reader: ${reader.name}`, timeoutMs, log });
  const known = new LRUCache<string, Judgement>({ max: maxRemembered });
  return {
    async ask(pairs, signal) {
      const keys = pairs.map(({ statement, passage }) =>
        createHash('sha256').update(`${statement}\0${passage}`).digest('base64'),
      );
      const open = pairs.filter((_, i) => !known.has(keys[i] ?? ''));
      const reply = open.length === 0 ? null : await service.ask(signal, (limited) => reader.judge(open, limited));
      if (open.length > 0 && !reply) return null;
      const judged = new Map(open.map((pair, i) => [pair, reply?.judgements[i] ?? ('open' as const)]));
      const judgements = pairs.map((pair, i) => judged.get(pair) ?? known.get(keys[i] ?? '') ?? 'open');
      for (const [i, key] of keys.entries()) known.set(key, judgements[i] ?? 'open');
      return { judgements, usage: reply?.usage };
    },
  };
}

interface Waiting {
  part: CheckedPart;
  /** What is asked about it, and what was said; null until it is known. */
  asked: { pair: CheckedPair; unit: Unit; judgement: Judgement | null }[];
}

/**
 * Holds back each part of an answer that words leave open until the second reader has spoken of it, and everything
 * behind it, so that all goes out in its order. Its word takes a marker away, or gives the marker of the document's own
 * sentence that comes nearest; without it, words decide.
 * @param onDecided something may go out
 */
export function createHolding(
  { ask }: SecondReading,
  passages: readonly SupportingPassage[],
  { signal, onDecided }: { signal: AbortSignal; onDecided: () => void },
) {
  const waiting: Waiting[] = [];
  let toAsk: Waiting['asked'] = [];
  let requests = 0;
  let pairs = 0;
  let running: Promise<void> | null = null;
  let usage: ModelUsage | undefined;
  /** Where claims begin that have a marker. */
  const firm = new Set<number>();

  return {
    /** @returns what may go out now */
    take(parts: readonly CheckedPart[]): CheckedPart[] {
      for (const part of parts) {
        const asked = openPairs(part, passages)
          .slice(0, Math.max(0, maxPairs - pairs))
          .map((each) => ({ ...each, judgement: null }));
        pairs += asked.length;
        toAsk.push(...asked);
        waiting.push({ part, asked });
      }
      if (!running && toAsk.length >= pairsAtOnce) start();
      return decided();
    },
    decided,
    /** All that still waits, once the second reader has spoken or its time is over. */
    async rest(): Promise<CheckedPart[]> {
      while (running || toAsk.length > 0) {
        if (!running) start();
        await running;
      }
      return decided();
    },
    usage: () => usage,
  };

  function decided(): CheckedPart[] {
    const parts: CheckedPart[] = [];
    for (;;) {
      const [first] = waiting;
      if (!first || first.asked.some(({ judgement }) => judgement === null)) return parts;
      waiting.shift();
      const part = judged(first);
      if (part.kind === 'unsupported' && first.part.kind === 'citation') {
        // Another passage may still say so.
        const isSame = (other: CheckedPart) =>
          other.kind === 'citation' && other.start === part.start && other.end === part.end;
        parts.push(waiting.some((other) => isSame(other.part)) || firm.has(part.start) ? dropped : part);
      } else parts.push(part);
      if (part.kind === 'citation') firm.add(part.start);
    }
  }

  function start(): void {
    const asked = toAsk;
    toAsk = [];
    running = (async () => {
      const pairs = asked.map(({ pair, unit }) => ({ statement: pair.claim, passage: textOf(passages, pair, unit) }));
      const reply = requests++ < maxRequests ? await ask(pairs, signal).catch(() => null) : null;
      for (const [i, each] of asked.entries()) each.judgement = reply?.judgements[i] ?? 'open';
      usage = together(usage, reply?.usage);
      running = null;
      if (toAsk.length >= pairsAtOnce) start();
      onDecided();
    })();
  }
}

/**
 * What words leave open: claims that they could not decide on, those that have next to no word of the passage that the
 * model named, and markers of claims that are no copies.
 */
function openPairs(part: CheckedPart, passages: readonly SupportingPassage[]): { pair: CheckedPair; unit: Unit }[] {
  if (part.kind === 'text') return [];
  if (part.kind === 'citation') {
    const { verdict } = part.pair;
    return verdict.outcome === 'supported' && !isCopy(part.pair.claim, verdict.unit)
      ? [{ pair: part.pair, unit: verdict.unit }]
      : [];
  }
  return part.pairs
    .filter(({ verdict, isNamed }) =>
      verdict.outcome === 'contradicted' ? isNamed && ofWords.has(verdict.why) : verdict.outcome === 'not-checked',
    )
    .flatMap((pair) => {
      const unit = pair.verdict.unit ?? nearestUnit(pair.claim, passages[pair.passage]);
      return unit ? [{ pair, unit }] : [];
    })
    .slice(0, maxPassages);
}

/** Where words say only that they are others. A number, a name or a denial that differs is not asked about. */
const ofWords = new Set<Why>(['words', 'language', 'absent']);
/** What a number counts beside a word: it reads the same in every language. */
const numberShare = 3;

/** The sentence that has most of a claim's numbers and words; null where none has any. */
function nearestUnit(claim: string, passage: SupportingPassage | undefined): Unit | null {
  const terms = new Set(analyze(claim));
  let nearest: { unit: Unit; shared: number } | null = null;
  for (const unit of passage?.units ?? []) {
    let shared = 0;
    for (const term of new Set(analyze(unit.text)))
      if (terms.has(term)) shared += /\p{N}/u.test(term) ? numberShare : 1;
    if (shared > (nearest?.shared ?? 0)) nearest = { unit, shared };
  }
  return nearest?.unit ?? null;
}

/** A part as it goes out after what was said of it. */
function judged({ part, asked }: Waiting): CheckedPart {
  const denied = asked.some(({ judgement }) => judgement === 'contradicted');
  if (part.kind === 'citation') {
    if (!denied) return part;
    return { kind: 'unsupported', start: part.start, end: part.end, why: 'relation', pairs: [part.pair] };
  }
  if (part.kind === 'text') return part;
  const held = asked.find(({ judgement }) => judgement === 'supported');
  if (held) {
    const { start, end } = part;
    const citation = { n: 0, passage: held.pair.passage, unit: held.unit };
    return { kind: 'citation', citation, pair: held.pair, start, end, ...(!held.pair.isNamed && { isFound: true }) };
  }
  return denied && part.kind === 'unchecked' ? { ...part, kind: 'unsupported', why: 'relation' } : part;
}

/** In place of a marker that is taken away while its claim keeps another. */
const dropped: CheckedPart = { kind: 'text', text: '' };

function isCopy(claim: string, { text }: Unit): boolean {
  return plain(text).includes(plain(claim));
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** What is read beside a statement: a sentence with what is around it, or the two that say it together. */
function textOf(passages: readonly SupportingPassage[], pair: CheckedPair, unit: Unit): string {
  const { together: other } = pair;
  const own = around(passages, pair, unit);
  if (!other) return own;
  const texts = [
    { at: pair.passage, text: own },
    { at: other.passage, text: around(passages, { ...pair, passage: other.passage }, other.unit) },
  ];
  // In one order, so that both are asked about once.
  return texts
    .sort((one, another) => one.at - another.at)
    .map(({ text }) => text)
    .join('\n\n');
}

/** The sentence with what stands above and beside it, as somebody needs it who knows nothing else of the document. */
function around(passages: readonly SupportingPassage[], { passage }: CheckedPair, unit: Unit): string {
  const { above = '', units = [] } = passages[passage] ?? {};
  const at = units.indexOf(unit);
  const [before, after] = [units[at - 1]?.text ?? '', units[at + 1]?.text ?? ''];
  const { caption = '', unit: counts = '', header, parents } = unit.row ?? {};
  const head = [caption, counts, header?.join(' | '), parents?.join(' › ')];
  const half = aroundLength / 2;
  return [above.slice(0, half), unit.heading, ...head, before.slice(-half), unit.text, after.slice(0, half)]
    .filter((part) => part !== undefined && part.trim() !== '')
    .join('\n');
}

/** What two requests have cost; undefined where neither was counted. */
export function together(one: ModelUsage | undefined, other: ModelUsage | undefined): ModelUsage | undefined {
  if (!one || !other) return one ?? other;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
