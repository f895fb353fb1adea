import { analyze } from '#server/lib/analyze.ts';
import type { Coverage, Measures } from './coverage.ts';

/** What is counted: the words behind "how many", up to a verb or preposition. */
const counted =
  /(?<!\p{L})(?:how many|wie ?viele|combien (?:de|d['’])|cu[áa]nt[oa]s|quant[ie])\s?((?:(?!(?:did|do|does|are|were|was|is|have|has|had|can|could|may|must|should|will|would|of|in|on|at|per|from|to|for|by|with|wird|werden|hat|haben|sind|war|waren|kann|muss|sollte|von|im|in|bei|tiene[n]?|tuvo|hay|muestra|de|del|en|ont|a|sont|ha|hanno|sono)(?!\p{L}))[\p{L}\p{N}'’-]+\s?){1,4})/iu;
/** What is asked for: the words behind "what" or "which", or behind "what is the". */
const named =
  /(?<!\p{L})(?:what|which|welche[rsnm]?|was|quel(?:le)?s?|qu[ée]|cu[áa]l(?:es)?|quale|quali|che)\s(?:(?:is|was|were|are|ist|sind|war|waren|est|sont|es|son|è|sono)\s)?(?:(?:the|a|an|der|die|das|ein|eine|le|la|les|el|los|las|il|lo|gli|i)\s)?((?:(?!(?:did|do|does|are|were|was|is|have|has|had|can|could|may|must|should|will|would|of|in|on|at|per|from|to|for|by|with|that|hat|haben|sind|war|kann|muss|von|im|bei|de|del|en)(?!\p{L}))[\p{L}\p{N}'’-]+\s?){1,4})/iu;

/** The words that name what is asked for; empty where none do. */
export function focusOf(question: string): string {
  return (counted.exec(question)?.[1] ?? named.exec(question)?.[1] ?? '').trim();
}

/** Tells how much of the words that name what is asked for is among those that stand somewhere: 0 to 1. */
export function focusMeasure(question: string, { of, share }: Measures): (there: Coverage) => number {
  const focus = of(analyze(focusOf(question)));
  const all = share(focus);
  return (there) => (all === 0 ? 0 : share(focus.map((each, i) => Math.min(each, there[i] ?? 0))) / all);
}
