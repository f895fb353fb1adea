import { answerType } from '#server/features/retrieval/question/answer-type.ts';
import { askedYears } from '#server/features/retrieval/question/year-fit.ts';

/**
 * Words of questions for what a document says of the time after it: what holds or is to be, what is planned, what falls
 * due, what is fixed before its year begins (English, German, French, Spanish, Italian).
 */
const ahead =
  /(?<!\p{L})(?:is|are|do|does|may|can|must|should|shall|will|would|could|expect\p{L}*|forecast\p{L}*|foresee\p{L}*|predict\p{L}*|project(?:ed|ions?)|anticipat\p{L}*|outlook|guidance|plan\p{L}*|propos\p{L}*|budget\p{L}*|targets?|targeted|goals?|estimat\p{L}*|schedul\p{L}*|due|matur\p{L}+|future|upcoming|next|remaining|commit\p{L}*|obligations?|fees?|dues|prices?|tariffs?|rates?|limits?|allowances?|thresholds?|m(?:in|ax)imum|deadlines?|ist|sind|gilt|gelten|darf|dürfen|kann|können|muss|müssen|soll|sollen|wird|werden|\p{L}*(?:erwart|prognos|vorhersag|geplant)\p{L}*|\p{L}*(?:ausblick|ziel|plan|haushalt|frist|gebühr|beitrag|beiträge|satz|grenze)|fällig\p{L}*|künftig\p{L}*|voraussichtlich\p{L}*|est|sont|peut|doit|sera|seront|prév\p{L}+|objectifs?|échéances?|tarifs?|frais|taux|cotisations?|son|puede|debe|será|serán|previst[oa]s?|presupuesto|objetivos?|venc\p{L}+|tarifas?|cuotas?|tasas?|può|deve|sarà|saranno|obiettiv[oi]|scadenz[ae]|tariff[ae]|quot[ae]|tass[oi])(?!\p{L})/iu;

/** What a report tells of a time that is over: in the past, or by what its statements have. */
const reported =
  /(?<!\p{L})(?:was|were|did|had|war|waren|hatten?|wurden?|betrug(?:en)?|fue|fueron|tuvo|hubo|était|étaient|avait|era|erano|revenues?|net sales|income|profits?|expens(?:es?|ditures?)|assets|liabilities|equity|cash|backlog|earnings|ebitda|inventor(?:y|ies)|receivables|donations?|spent|paid|umsatz|gewinn|einnahmen|ausgaben|ingresos|gastos|recettes|dépenses|ricavi)(?!\p{L})/iu;
/** Years that a report looks ahead: what is older than that may have been written at any time since. */
const maxAhead = 2;

/**
 * Tells whether a document was written before what a question asks an amount of: a report of 2021 has the year 2022
 * only in what it expects of it. Null: it asks for no amount of a year that is over, or for what is to come.
 * @returns takes the years that the document's name or first page has
 */
export function foreseenCheck(question: string): ((editions: readonly string[]) => boolean) | null {
  if (answerType(question) !== 'amount' || ahead.test(question) || !reported.test(question)) return null;
  const years = [...askedYears(question)];
  if (years.length === 0) return null;
  const first = Math.min(...years.map(Number));
  return (editions) => {
    const last = Math.max(...editions.map(Number));
    return first > last && first - last <= maxAhead;
  };
}
