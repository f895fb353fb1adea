/** The kind of answer that a question asks for, where its words say so. */
export type AnswerType = 'date' | 'amount' | 'person';

const asks: [AnswerType, RegExp][] = [
  [
    'date',
    /\b(when|what (date|day|year|time)|which (date|day|year)|how late|how early|until when|wann|bis wann|welche[rsnm]? (tag|datum|jahr)|quand|cuándo|quando)\b/i,
  ],
  [
    'amount',
    /\b(how (much|many|long|far|high|large|big|old|often|heavy|fast)|what (is the )?(price|cost|fee|limit|amount|number|rate|percentage)|wie ?(viel|viele|lange|hoch|weit|oft|gro(ß|ss)|schwer|teuer)|combien|cuánt[oa]s?|quant[oiae])\b/i,
  ],
  ['person', /\b(who|whom|whose|wer|wen|wem|wessen|qui|quién|chi)\b/i],
];

const has: Record<AnswerType, RegExp> = {
  date: /\b(1[5-9]|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|\b(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b/i,
  amount: /\d/,
  // Two capitalised words that are not the first of the sentence, or a role that people have.
  person:
    /(?<!^)(?<![.!?]\s)\b\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+|\b(manager|director|officer|head|department|team|desk|board|leitung|abteilung|vorgesetzte)/iu,
};

export function answerType(question: string): AnswerType | null {
  return asks.find(([, pattern]) => pattern.test(question))?.[0] ?? null;
}

export function fitsType(text: string, type: AnswerType): boolean {
  return has[type].test(text);
}
