import type { AskedQuestion, DataSet } from './sets.ts';
import { sample } from './sets.ts';

/** A claim beside a passage that says so, or does not. */
export interface ClaimPair {
  kind:
    | 'true, reworded'
    | 'true, a sentence'
    | 'number changed'
    | 'name changed'
    | 'negation changed'
    | 'another passage';
  isTrue: boolean;
  /** Of the question that it was made of. */
  id: string;
  claim: string;
  /** Id of the passage. */
  passage: string;
}

const verb = /\b(is|was|are|were|has|have|had|can|could|will|would|did|does|may|must|should)\b(?! (?:not|no)\b)/;
const denied = /\b(is|was|are|were|has|have|had|can|could|will|would|did|does|may|must|should) not\b/;
const name = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*$/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Claims made of the set's questions with their answers, and of sentences of its passages; the same with one thing
 * changed that makes them false.
 */
export function claimPairs({ name: set, passages, questions }: DataSet, size: number): ClaimPair[] {
  const textOf = new Map(passages.map(({ id, text }) => [id, text]));
  const spans = questions.filter(({ type, answers }) => (type ?? 'span') === 'span' && answers[0] !== undefined);
  const asked = sample(spans, size);
  const names = spans.flatMap(({ answers }) => answers.slice(0, 1).filter((answer) => name.test(answer)));
  const pairs: ClaimPair[] = [];
  for (const [i, question] of asked.entries()) {
    const [answer = '', passage = ''] = [question.answers[0], goldWithAnswer(question, textOf)];
    const text = textOf.get(passage) ?? '';
    if (!text.includes(answer) || !hasNumbersOf(question, text)) continue;
    const add = (kind: ClaimPair['kind'], claim: string, at = passage) =>
      pairs.push({ kind, claim, passage: at, isTrue: kind.startsWith('true'), id: question.id });

    add('true, reworded', stated(question, answer));
    if (/\d/.test(answer)) add('number changed', stated(question, otherNumber(answer, text)));
    const otherName = names[(i * 7) % Math.max(1, names.length)] ?? '';
    if (name.test(answer) && !text.includes(otherName)) add('name changed', stated(question, otherName));
    const other = asked[(i + Math.ceil(asked.length / 2)) % asked.length];
    if (other && other.gold[0] !== passage) add('another passage', stated(question, answer), other.gold[0] ?? '');
    if (set === 'tatqa') continue;
    const sentence = [...segmenter.segment(text)].find(({ segment }) => segment.includes(answer))?.segment.trim() ?? '';
    if (sentence === '') continue;
    add('true, a sentence', sentence);
    if (denied.test(sentence)) add('negation changed', sentence.replace(denied, '$1'));
    else if (verb.test(sentence)) add('negation changed', sentence.replace(verb, '$1 not'));
  }
  return pairs;
}

function goldWithAnswer({ gold, answers }: AskedQuestion, textOf: Map<string, string>): string {
  return gold.find((id) => textOf.get(id)?.includes(answers[0] ?? '')) ?? '';
}

/** A passage that lacks a number of the question ("less than 600,000", "in 2019") does not make the claim by itself. */
function hasNumbersOf({ question }: AskedQuestion, text: string): boolean {
  return (question.match(/\d+/g) ?? []).every((number) => text.includes(number));
}

/** "What is the fee?" and "ten euros" as "the fee is: ten euros": a claim in words of its own. */
function stated({ question }: AskedQuestion, answer: string): string {
  return `${question.replace(/[?\s]+$/, '')}: ${answer}`;
}

/** A number of the same form that the passage does not have. */
function otherNumber(answer: string, text: string): string {
  for (let step = 1; ; step++) {
    const changed = answer.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + step) % 10));
    if (step > 9) return answer.replace(/\d/, '7$&');
    if (!text.includes(changed)) return changed;
  }
}
