import { groupsOf, pattern } from './patterns.ts';

/**
 * Years, quarters and halves are written in many ways (`FY2018`, `FY22`, `2023Q2`, `1H21`, "second quarter",
 * `2016/17`). All of them become the same plain words, in documents and questions, or the one that is asked for would
 * be an unknown word, and weigh most of all.
 */

/** Whether there may be a period in other words than a plain year: most texts have none, and pass at once. */
const suspected =
  /(?:FY|CY|fiscal|[1-4]Q|Q[1-4]|[12]H|H[12])|quarter|half|quartal|halbjahr|trimestre|semestr|\d[/–-]\d\d(?!\d)|(?:jan|ene|gen|a[pvb]r|ju[il]|lug|o[ckt]t)\p{L}{0,6}\.?\s*(?:[-–—]|to|through|until|bis|à|a)\s/iu;
/** Nothing else is a period without a figure, and looking for this takes a fifth of the time. */
const suspectedWord = /quarter|half|quartal|halbjahr|trimestre|semestr/iu;

const fullYear = '(?:19|20)\\d\\d';
const anyYear = `(?:${fullYear}|\\d\\d)`;
const begin = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';

/** First and last month of each quarter: in English, German, French, Spanish, Italian. */
const quarters = [
  ['jan(?:uary|uar)?|janvier|enero|ene|gennaio|gen', 'mar(?:ch)?|märz|mrz|mars|marzo'],
  ['apr(?:il)?|avril|avr|abril|abr|aprile', 'june?|juni|juin|junio|giugno|giu'],
  ['july?|juli|juillet|julio|luglio|lug', 'sept?(?:ember)?|septembre|septiembre|settembre|set'],
  ['o[ck]t(?:ober)?|octobre|octubre|ottobre|ott', 'de[cz](?:ember)?|décembre|déc|diciembre|dic|dicembre'],
] as const;

const shapes: [RegExp, (groups: string[]) => string][] = [
  // FY2016/17, 2016/17, 2016-17: known by both years.
  [pattern(`${begin}(?:FY\\s?)?(${fullYear})[/–-](\\d\\d)${end}(?![/–-]\\d)`), ([from, to]) => acrossYears(from, to)],
  // Q2 FY23, 2Q23, Q2'23, Q2 2023.
  [
    pattern(
      `${begin}(?:Q([1-4])|([1-4])Q)[\\s,.'’/-]*(?:of\\s+)?(?:(?:FYE?|CY|fiscal(?:\\s+year)?)\\s*['’]?)?(${anyYear})${end}`,
    ),
    ([one, other, year]) => `q${one || other} ${inFull(year)}`,
  ],
  // 2023Q2, FY23 Q2, 23Q2.
  [
    pattern(`${begin}(?:FYE?|CY)?\\s?['’]?(${anyYear})[\\s'’/-]?(?:Q([1-4])|([1-4])Q)${end}`),
    ([year, one, other]) => `q${one || other} ${inFull(year)}`,
  ],
  // 1H21, H1 2021, 2021H1.
  [
    pattern(`${begin}(?:H([12])|([12])H)[\\s'’/-]?(?:(?:FYE?|CY)\\s*['’]?)?(${anyYear})${end}`),
    ([one, other, year]) => `h${one || other} ${inFull(year)}`,
  ],
  [
    pattern(`${begin}(?:FYE?|CY)?\\s?['’]?(${fullYear})[\\s'’/-]?(?:H([12])|([12])H)${end}`),
    ([year, one, other]) => `h${one || other} ${inFull(year)}`,
  ],
  // FY2018, FY18, FY '18, fiscal 18, fiscal year 2022, 2018FY.
  [pattern(`${begin}(?:FYE?|CY)\\s?['’]?(${anyYear})(?:[AEF](?=${end}))?${end}`), ([year]) => inFull(year)],
  [pattern(`${begin}(${fullYear})(?:FYE?|CY)${end}`), ([year]) => inFull(year)],
  [
    pattern(`${begin}(fiscal(?:\\s+years?)?(?:\\s+ended)?)\\s+['’]?(\\d\\d)${end}(?![.,%]\\d|\\s*%)`),
    ([word, year]) => `${word} ${inFull(year)}`,
  ],
  [pattern(`${begin}([1-4])Q${end}`), ([number]) => `q${number}`],
  // "Jan - Mar, 2021", "October to December 2021", perhaps with the mark of the month: the words stay, and the quarter
  // is said, too.
  ...quarters.map(([from, to], i): [RegExp, (groups: string[]) => string] => [
    pattern(
      `${begin}(${from})\\.?(\\s*(?:[-–—]|to|through|until|bis|à|a)\\s*(?:d\\d{6}\\s+)?)(${to})\\.?(,?\\s+${fullYear})${end}`,
    ),
    ([first, between, last, year]) => `${first}${between}${last}${year} q${i + 1}`,
  ]),
  [pattern(`${begin}([12])H${end}`), ([number]) => `h${number}`],
  // "Second quarter", "zweites Quartal", "primer trimestre": also in words.
  [
    pattern(
      `${begin}(?:(first|1st|1\\.|erstes?n?|premier|1er|primer|primo)|(second|2nd|2\\.|zweite[sn]?|deuxième|2e|segundo|secondo)|(third|3rd|3\\.|dritte[sn]?|troisième|3e|tercer|terzo)|(fourth|4th|final|last|4\\.|vierte[sn]?|letzte[sn]?|quatrième|4e|dernier|cuarto|último|quarto|ultimo))\\s+((?:(?:fiscal|calendar)\\s+)?(?:quarter|quartal|trimestre))`,
    ),
    (groups) => `${groups.at(-1)} q${groups.slice(0, 4).findIndex((group) => group !== '') + 1} `,
  ],
  [
    pattern(
      `${begin}(?:(first|1st|1\\.|erste[sn]?|premier|1er|primer|primo)|(second|last|2nd|2\\.|zweite[sn]?|deuxième|2e|segundo|secondo))\\s+(half(?:\\s+year|-year)?\\s+(?:of|year)|half-year|halbjahr|semestr\\w+)`,
    ),
    (groups) => `${groups.at(-1)} h${groups[0] ? 1 : 2} `,
  ],
];

/** The text with all periods written the same way. */
export function foldPeriods(text: string): string {
  if (!(/\d/.test(text) ? suspected : suspectedWord).test(text)) return text;
  let folded = text;
  for (const [shape, write] of shapes) folded = folded.replace(shape, (_, ...rest: unknown[]) => write(groupsOf(rest)));
  return folded;
}

/** Day and month before a year. */
const datePart = /(?<!\d)(\d{1,2})[./](\d{1,2})[./](?=(?:19|20)\d\d(?!\d))/g;

/** A web address may have any number in it. */
const address = /(?:https?:\/\/|www\.)\S+/giu;

/** A term or cell that is a year and nothing else. */
export const bareYear = /^(?:19|20)\d\d$/;

/** The years that a text names, in whatever form: from 1900 on. */
export function yearsIn(text: string): Set<string> {
  // Most lines have none in any form.
  if (!/(?:19|20)\d\d/.test(text) && !(/\d\d/.test(text) && suspected.test(text))) return new Set();
  const plain = foldPeriods(text.replace(address, ' ')).replace(datePart, '$1 $2 ');
  return new Set(plain.match(/(?<![\p{L}\p{N}.,])(?:19|20)\d\d(?![\p{L}\p{N}]|[.,]\d)/gu) ?? []);
}

/** `22` is 2022, `98` is 1998. */
function inFull(year = ''): string {
  if (year.length !== 2) return year;
  return `${Number(year) >= 70 ? '19' : '20'}${year}`;
}

function acrossYears(from = '', to = ''): string {
  const next = `${from.slice(0, 2)}${to}`;
  // 2016-31 and 1999-01 are dates, or no years that follow each other.
  return Number(next) === Number(from) + 1 ? `${from} ${next}` : `${from}-${to}`;
}
