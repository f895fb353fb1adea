import { fold } from './facts/tokens.ts';

/** A question with its answer behind it, as models write them in lists: "What does a night cost: 145 euros". */
export interface Asked {
  question: string;
  answer: string;
}

const interrogative =
  'what|which|who|whom|whose|when|where|why|how|was|welche[nmrs]?|wer|wen|wem|wann|wo|warum|weshalb|wie|wie ?viele?|quel(?:le)?s?|que|quoi|qui|quand|où|pourquoi|comment|combien|qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?';
/** "When a guest stays longer: 10 euros" asks nothing. */
const noVerb =
  'the|an?|this|these|those|that|it|you|we|they|he|she|no|to|der|die|das|den|dem|ein|eine[nrms]?|man|es|sie|im|le|la|les|un|une|on|il|elle|ils|el|los|las|una';
const begins = new RegExp(
  String.raw`^(?:(?:did|does|is|are|was|were)\s|(?:[^:,]{1,60},\s+|according to (?:\p{L}+ ){1,5})?(?:(?:in|by|at|for|from|of|on|to|with|under|until|bei|an|auf|für|seit|bis|von|mit|ab|à|de|en|dans|pour|par|con|para|por|desde|hasta)\s+)?(?:${interrogative})(?!\p{L})(?! (?:${noVerb})(?!\p{L})))`,
  'iu',
);

/** "They are made up of what type of people". */
const endsAsking =
  /(?<!\p{L})(?:what|which|whom?|how (?:many|much|long|often|far)|welche[nmrs]?|wie ?viele?|wen|wem|quel(?:le)?s?|combien|qué|cuál(?:es)?|cuánt[oa]s?)(?: \p{L}+){0,5}$/iu;

/** The two halves of a claim that asks and answers; null where it does not. */
export function askedIn(claim: string): Asked | null {
  const at = Math.max(claim.lastIndexOf(': '), claim.lastIndexOf('? '));
  const [question, answer] = [claim.slice(0, Math.max(0, at)), claim.slice(at + 1).trim()];
  const isAsked = begins.test(question) || endsAsking.test(question);
  return isAsked && answer !== '' ? { question, answer } : null;
}

/** Whether an answer lists so many things: "the two sources: A and B" need no "two" in the document. */
export function lists(answer: string, count: number): boolean {
  const joints = fold(answer).match(/,? (?:and|und|et|y|sowie|or|oder|ou|o) |, |; /g)?.length ?? 0;
  return joints + 1 === count;
}
