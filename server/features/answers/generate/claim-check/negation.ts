import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';

const negation =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|niemand|ohne|weder|jamais|aucune?|sans|nunca|ning[uú]n\w*|sin|mai|nessun\w*|senza)\b|n[’']t\b|(?<=\bne\b.*)\bpas\b/giu;
/** What looks like a negation and is none. */
const emphatic = /\b(?:not|nicht) (?:only|just|merely|nur|bloß)\b/giu;
/** Behind it something else is spoken of: "none succeeded, and the main effort failed". */
const clauseEnd = /[,;.:!?()]|\s(?:and|but|und|aber|et|mais|y|pero)\s+(?:the|der|die|das|le|la|les|el|los|las)\s/iu;
/** Words behind a negation that it may deny. */
const reach = 5;
const condition =
  /(?<!\p{L})(?:if|unless|whether|wenn|falls|sofern|solange|si|sauf si|a menos que)(?!\p{L})[^,;:.!?–—]{0,300}/giu;
/** Negations in one sentence; of more nobody can say what it denies. */
const maxNegations = 12;
/** Behind a negation, in UTF-16 code units. */
const reachLength = 200;

/**
 * Whether both deny the same of what they speak of, or neither anything. What is denied of something else does not
 * count.
 * @param bounds words of the quote that set a number's bound: "limited to" is denied by "not limited"
 */
export function deniesTheSame(claim: string, quote: string, { weights }: Question, bounds = ''): boolean {
  const inQuote = new Set(analyze(`${quote} ${bounds}`));
  if (negationsIn(claim).length > maxNegations || negationsIn(quote).length > maxNegations) return false;
  const [inClaim, there] = [denied(claim, (term) => inQuote.has(term)), denied(quote, (term) => weights.has(term))];
  const meets = (one: Set<string>, others: Set<string>[]) => others.some((other) => !one.isDisjointFrom(other));
  return (
    inClaim.length === there.length &&
    inClaim.every((each) => meets(each, there)) &&
    there.every((each) => meets(each, inClaim))
  );
}

/** Whether a claim denies what a text does not speak of, and the text denies less than it does. */
export function deniesAnew(claim: string, quote: string): boolean {
  const inQuote = new Set(analyze(quote));
  if (negationsIn(claim).length > maxNegations) return false;
  // An answer may be "none", and nothing else.
  const own = denied(claim, () => true).length;
  const shared = denied(claim, (term) => inQuote.has(term)).length;
  return shared < own && shared >= denied(quote, (term) => new Set(analyze(claim)).has(term)).length;
}

/** Whether all that a text denies stands behind an "if": "if you do not have it, hire someone". */
export function deniesOnCondition(text: string): boolean {
  return negationsIn(text).length > 0 && negationsIn(text.replaceAll(condition, ' ')).length === 0;
}

const none = /^(?:no|none|without|kein\w*|ohne|aucune?|sans|ning[uú]n\w*|sin|nessun\w*|senza)$/iu;
/** By itself: no place of a longer number. */
const zero = /(?<![\d.,])0(?:[.,]0+)?(?![.,]?\d)/u;

/**
 * Whether one of both denies something and the other nothing: where both do, words cannot tell whether it is the same.
 * A nought says "none" as well.
 */
export function deniesAlone(claim: string, quote: string): boolean {
  const [own, others] = [negationsIn(claim), negationsIn(quote)];
  if (own.length > 0 && others.length === 0 && own.every((word) => none.test(word)) && zero.test(quote)) return false;
  return own.length > 0 !== others.length > 0;
}

/** Whether a sentence denies all that a claim denies, and that is something. */
export function deniesLike(claim: string, text: string, { weights }: Question): boolean {
  const inText = new Set(analyze(text));
  const [own, there] = [denied(claim, (term) => inText.has(term)), denied(text, (term) => weights.has(term))];
  return own.length > 0 && own.every((each) => there.some((other) => !each.isDisjointFrom(other)));
}

/** What denies something in a text. */
export function negationsIn(text: string): RegExpMatchArray | [] {
  return text.replaceAll(emphatic, ' ').match(negation) ?? [];
}

/** For each negation the words right behind it that both texts have; none where they have none. */
function denied(text: string, isShared: (term: string) => boolean): Set<string>[] {
  const found: Set<string>[] = [];
  const without = text.replaceAll(emphatic, ' ');
  for (const { index, 0: word } of without.matchAll(negation)) {
    const rest = without.slice(index + word.length).slice(0, reachLength);
    const next = analyze(rest.split(clauseEnd)[0] ?? '').slice(0, reach);
    const shared = new Set(next.filter(isShared));
    if (shared.size > 0) found.push(shared);
  }
  return found;
}
