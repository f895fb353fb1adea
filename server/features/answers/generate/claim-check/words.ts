import { type Coverage, createCoverage, type Measures } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import type { ClaimPart } from '../claim-structure.ts';
import type { ReadText } from './facts/facts.ts';
import { sidesOf } from './facts/polarity.ts';
import type { PreparedPassage, SupportingPassage } from './passage.ts';
import type { Words } from './relation.ts';

/** What words count that stand beside the sentence, in the same passage, or above it. */
const shares = { beside: 0.7, passage: 0.4, above: 0.9 };

/** The words around a claim's facts: a code and a word with an opposite say more than their rarity, whatever it is. */
export function wordsOf({ tokens }: ReadText, { weights }: Question, { hits }: Measures): Words {
  const turning = new Set(
    tokens.flatMap(({ kind, folded }) => (kind === 'word' && sidesOf(folded).length > 0 ? analyze(folded) : [])),
  );
  const strong = Math.max(1, ...weights.values());
  return {
    weightOf: (term) => {
      const weight = weights.get(term) ?? 0;
      if (/\p{N}/u.test(term) || term.length === 1) return Math.max(weight * 2, 0);
      return turning.has(term) ? Math.max(weight, strong / 2) : weight;
    },
    hits: (term) => (turning.has(term) ? [[term, 1] as const, ...hits(term)] : hits(term)),
  };
}

/**
 * What is looked up of a claim in a passage: its cells with so much of their labels and columns' names as the passage
 * has. A label of which it has nothing leaves open what is spoken of.
 */
export function claimFor(
  parts: readonly Pick<ClaimPart, 'text' | 'context'>[],
  { terms }: PreparedPassage,
  weigh: (text: string) => Question,
): { claim: string; lacks: boolean } {
  let lacks = false;
  const said = parts.map(({ text, context }) => {
    const known = context.map((label) => {
      const { hits } = createCoverage(weigh(label));
      const asked = new Set([...terms].flatMap((term) => hits(term).map(([each]) => each)));
      const kept = (label.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’./-]*/gu) ?? []).filter((word) =>
        analyze(word).some((term) => asked.has(term) || terms.has(term)),
      );
      lacks ||= kept.length === 0;
      return kept.join(' ');
    });
    const labels = known.filter((each) => each !== '').join(' ');
    // A cell begins like a sentence: the capital behind its labels is no name.
    return labels === '' ? text : `${labels} “${text}`;
  });
  return { claim: said.join(' ; '), lacks };
}

/** @returns how much of a claim some units have together, with what stands around them */
export function coveredBy(
  known: PreparedPassage,
  passage: SupportingPassage,
  { of, share }: Measures,
): (units: readonly number[]) => number {
  const coverages = known.units.map(({ terms }) => of(terms));
  const above = of(analyze(passage.above));
  const heads = known.units.map(({ head }) => of(head));
  const whole = of(known.terms);
  return (units) => {
    const own = units.map((i) => coverages[i]);
    const base = share(...own);
    const more = (...around: (Coverage | undefined)[]) => share(...own, ...around) - base;
    return Math.max(
      base + shares.above * more(above, ...units.map((i) => heads[i])),
      base + shares.beside * more(...units.flatMap((i) => [coverages[i - 1], coverages[i + 1]]), above),
      base + shares.passage * more(whole, above),
    );
  };
}

/** A claim is weighed once for all passages in which it is looked up. */
export function keepingLast(weigh: (text: string) => Question): (text: string) => Question {
  let last: { text: string; question: Question } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, question: weigh(text) };
    return last.question;
  };
}
