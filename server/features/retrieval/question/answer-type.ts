import { bareYear } from '#server/lib/periods.ts';
import type { Asked } from './asked.ts';
import { day, isoDay, month, otherNumbersIn, year } from './other-numbers.ts';
import { reason } from './reason-shape.ts';
import type { Shape } from './time-shapes.ts';

/** The kind of answer that a question asks for, where its words say so. */
export type AnswerType = 'date' | 'amount' | 'person' | 'place' | 'reason';

const numberWord =
  '(?:half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|twenty|thirty|fifty|hundreds?|thousands?|millions?|billions?|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|deux|trois|quatre|cinq|dix|dos|tres|cuatro|cinco|diez|tre|quattro|cinque|dieci)(?![\\p{L}\\p{M}])';

/**
 * How questions ask for it, and what stands in a text that answers: in both English, German, French, Spanish, Italian,
 * Chinese, Arabic.
 */
const shapes: Record<AnswerType, Shape> = {
  date: {
    asked:
      /\bwhen\b(?! (?:may|can|should) )(?<!(?:\b(?:who|whom|whose|what|which|where|why|how)\b|^\W*(?:is|are|was|were|am|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had)\b).{0,200}\bwhen)|\b((what|which|in what|in which) (date|day|year|month|time|decade|century)(?!-)|(?:start(?:ing)?|end|closing|due|expiry|effective|release|launch|opening|hiring|joining) dates?|dates? of|how (late|early)|until when|since when|(?:from|by|on) (?:what|which) (?:date|day)|wann|welche[rsnm]? (tag|datum|jahr|monat|jahrhundert)|quand|quando)\b|cu[aá]ndo|(?<!\p{L})qu[ée] (?:fecha|d[íi]a|a[ñn]o|mes)(?!\p{L})|什么时候|什麼時候|何时|何時|哪年|哪一年|哪个世纪|几年|几月|何年|いつ|متى|أي عام|أي سنة|أي (?:تاريخ|قرن|عقد)/iu,
    answer: new RegExp(
      [
        `(?<![\\p{L}\\p{M}])(?:${day}\\s+(?:of\\s+|de\\s+)?)?${month}(?:\\s+${day}(?!\\d))?(?:,?\\s+(?:de\\s+)?${year})?`,
        '(?<![\\d.,/])\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}(?!\\d)',
        `(?<!\\d)${isoDay}(?!\\d)`,
        '\\d{1,4}\\s*年(?:\\s*\\d{1,2}\\s*月)?(?:\\s*\\d{1,2}\\s*[日号])?|\\d{1,2}\\s*月\\s*\\d{1,2}\\s*[日号]|\\d{1,2}\\s*世[纪紀]',
        `(?<![\\p{L}\\d.,$€£-])${year}(?!-\\d\\d?-\\d)`,
        '(?<!\\d)\\d{1,2}(?::\\d\\d| Uhr)(?: ?[ap]\\.?m\\.?)?|(?<!\\d)\\d{1,2} ?[ap]\\.?m\\.?(?!\\p{L})',
        '\\d{1,2}(?:st|nd|rd|th|\\.)\\s+(?:century|Jahrhundert)|القرن\\s+\\p{L}+',
        '(?<!\\p{L})(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?!\\p{L})|(?<!\\p{L})(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)s?(?!\\p{L})',
      ].join('|'),
      'gu',
    ),
  },
  amount: {
    asked:
      /\b(how (much|many|long|far|high|large|big|old|often|heavy|fast|tall|wide|deep|thick|low|short|small|soon|recent|recently|frequently|quickly)|what (is |was |were |are )?(the )?(total |average )?(price|cost|fee|limit|amount|number|rate|percent|percentage|proportion|population|length|height|size|value)|wie ?(viele?[rn]?|lange|hoch|weit|oft|gro(ß|ss)|schwer|teuer|schnell|alt)|wieviele?|combien|quant[oiae])\b|cu[aá]nt[oa]s?|多少|几[个位次天年名种条层]|多[大长高远久重快]|百分之几|كم|ما (?:هو )?(?:عدد|نسبة|مقدار)/iu,
    answer: new RegExp(
      [
        "(?:[$€£¥]\\s?)?(?<![\\p{L}\\d])\\d+(?:[.,'’]\\d+)*(?:\\s?%|\\s?[$€£¥]|[ -](?!(?:and|or|of|in|to|und|oder|bis|von|is|was|are|were|has|have|had|may|can|must|will|per|the|by|for|at|on|with|from|as)(?!\\p{L}))[\\p{Script=Latin}\\p{M}]+)?",
        `(?<![\\p{L}\\p{M}-])${numberWord}(?:[ -][\\p{Script=Latin}]+)?`,
        '[一二三四五六七八九十百千万亿两]+(?=[个位次天年月日名种条层万亿元人倍])|百分之[一二三四五六七八九十百]+',
        '(?<!\\p{L})(?:اثن\\p{L}+|ثلاث\\p{L}*|أربع\\p{L}*|خمس\\p{L}*|ست\\p{L}?|سبع\\p{L}*|ثمان\\p{L}*|تسع\\p{L}*|عشر\\p{L}*|مئة|مائة|ألف|مليون|مليار)(?!\\p{L})',
      ].join('|'),
      'giu',
    ),
  },
  person: {
    asked:
      /\b(who|whom|whose|wer|wen|wem|wessen|qui|chi|(what|which) (person|man|woman|people))\b|qui[eé]n|谁|誰|哪位|من (?:هو|هي|هم|الذي|التي|كان|قام)|^من /iu,
    answer:
      /(?<!^["'“„(]*)(?<![.!?]\s["'“„(]*)(?<![\p{L}\p{N}])\p{Lu}[\p{Ll}'’-]+(?:\s+(?:(?:de|van|von|der|of|the|al|bin|ibn)\s+)?\p{Lu}(?:\.|[\p{Ll}'’-]+))+|[\p{Script=Han}]{1,6}·[\p{Script=Han}·]{1,12}|(?<!\p{L})(?:[Mm]anagers?|[Dd]irectors?|[Oo]fficers?|[Hh]ead|[Dd]epartment|[Tt]eam|[Dd]esk|[Bb]oard|\p{Lu}?\p{Ll}*(?:[Ll]eitung|[Aa]bteilung)|[Vv]orgesetzte[rn]?)(?!\p{L})/gu,
  },
  place: {
    asked:
      /\b(where|(what|which|in what|in which) (city|country|state|place|town|region|county|building|room|location)|wo|wohin|woher|welche[rsnm]? (stadt|land|ort)|dove)\b|où|dónde|哪里|哪裡|在哪|哪个(?:国家|城市|地方)|何处|哪座城市|أين|أي (?:مدينة|بلد|دولة|مكان)/iu,
    answer:
      /(?<!\p{L})(?:in|at|near|to|from|on|im|am|an|bei|aus|nach|auf|à|en|dans|a|nel|nella)\s+(?:the\s+|der\s+|den\s+|dem\s+)?\p{Lu}[\p{L}’'-]+|位于|位於|[州省市县国城镇]|(?<!\p{L})في\s+\p{L}+/gu,
  },
  reason,
};

const itemNumber = /^\(?\d{1,2}(?:[.)](?!\d)|(?:\.\d{1,2})+\s)/;
/**
 * Where nothing else is asked for, these ask for an amount: "WMDE personnel costs in 2016", "what did the workshops
 * cost?"
 */
const amounts =
  /(?<!\p{L})(?:incomes?|revenues?|expens(?:es?|ditures?)|expenditures?|costs?|spend|spent|pa(?:y|id)|earn(?:ed)?|fees?|royalt(?:y|ies)|tax(?:es)?|rents?|salar(?:y|ies)|wages?|budget|profits?|loss(?:es)?|turnover|sales|balance|assets|liabilities|equity|cash|debts?|deposits?|donations?|grants?|sum|totals?|amounts?|prices?|values?|shares?|portion|percent(?:age)?|penalt(?:y|ies)|ceiling|maximum|minimum|deadline|summe|kosten|einnahmen|ausgaben|umsatz|gewinn|verlust|betrag|anteil|preis|gebühr\w*|gehalt|miete|coûts?|prix|montant|recettes|dépenses|chiffre d.affaires|costes?|precios?|importe|ingresos|gastos|prezz[oi]|importo|ricavi|spese|cost[oi])(?!\p{L})/iu;
/** What else is asked for then. */
const otherwise =
  /(?<!\p{L})(?:who|whom|whose|where|why|which|how|define[sd]?|mean(?:s|ing)?|stands? for|wer|wen|wem|wo|warum|welche\w*|wie|qui|où|pourquoi|quel\w*|comment|quién\w*|dónde|por qué|cuál\w*|cómo|chi|dove|perché|qual\w*|come)(?!\p{L})|^(?:is|are|was|were|do|does|did|can|may|must|should|will|has|have|ist|sind|war|hat|kann|darf|muss)\s/iu;

/** How sentences begin that ask for words, or yes or no. */
const orders = /^\W*(?:explain|list|describe|compare|summari[sz]e|discuss|can|could|would|in (?:what|which))\s/iu;

const types = ['date', 'amount', 'person', 'place', 'reason'] as const satisfies AnswerType[];

/** What is read of either end of a long text, in UTF-16 code units. */
const endLength = 1000;

/** Who sends a long text with a question asks before it or behind it: a question without what stands between. */
export function endsOf(question: string): string {
  if (question.length <= 2 * endLength) return question;
  // A word that is cut is left out, as it may be the beginning or the end of another.
  const before = question.slice(0, endLength).replace(/[\p{L}\p{N}]{1,60}$/u, '');
  const behind = question.slice(-endLength).replace(/^[\p{L}\p{N}]{1,60}/u, '');
  return `${before}\n${behind}`;
}

/** What a question asks for, by its words; null: none of these, or that is not clear. */
export function answerType(question: string): AnswerType | null {
  const asked = endsOf(question);
  const type = types.find((each) => shapes[each].asked.test(asked));
  if (type !== undefined) return type;
  return amounts.test(asked) && !otherwise.test(asked) ? 'amount' : null;
}

/** Whether a question names something and no more: it asks for nothing that its words tell, and for no yes or no. */
export function asksNothing(question: string): boolean {
  return answerType(question) === null && !otherwise.test(question) && !orders.test(question);
}

/** Where in a text something of this kind stands that the question has not already. */
export function answersIn(text: string, type: AnswerType, asked: Asked): { start: number; end: number }[] {
  return [...findAnswers(text, type, asked)];
}

/** Whether one does. */
export function hasAnswer(text: string, type: AnswerType, asked: Asked): boolean {
  return findAnswers(text, type, asked).next().value !== undefined;
}

function* findAnswers(
  text: string,
  type: AnswerType,
  { lower: known, numbers: knownNumbers, isHowLong }: Asked,
): Generator<{ start: number; end: number }, undefined> {
  let others: ReturnType<typeof otherNumbersIn> | undefined;
  for (const { index, 0: piece } of text.matchAll(shapes[type].answer)) {
    others ??= type === 'amount' && !isHowLong ? otherNumbersIn(text) : [];
    if (others.some(({ start, end }) => index >= start && index < end)) continue;
    const answer = piece.trim();
    const numbers = type === 'amount' ? (answer.match(/\d+/g) ?? []) : [];
    if (answer === '' || (numbers.length === 0 && known.includes(answer.toLowerCase()))) continue;
    // "room 12" of the question is no amount, whatever follows; a year and the number of an item are none either.
    if (numbers.length > 0 && numbers.every((number) => knownNumbers.has(number))) continue;
    if (type === 'amount' && (bareYear.test(answer) || (index <= 1 && itemNumber.test(text)))) continue;
    const start = index + piece.indexOf(answer);
    yield { start, end: start + answer.length };
  }
}
