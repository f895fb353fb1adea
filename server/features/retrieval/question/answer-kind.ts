import { type AnswerType, answerType, endsOf } from './answer-type.ts';
import { type ContactKind, contactShapes } from './contact-shapes.ts';
import { money } from './money-shape.ts';
import { asking, begin, end, figureOf, type Shape, type TimeKind, time, timeShapes } from './time-shapes.ts';
import { asksShareOfTwo } from './worked-out.ts';

/** What an answer has to have, where the question's words say so: money is no answer to "how many minutes". */
export type AnswerKind =
  | TimeKind
  | ContactKind
  | 'money'
  | 'percent'
  | 'speed'
  | 'area'
  | 'temperature'
  | 'length'
  | 'weight'
  | 'storage'
  | 'power'
  | 'count';

const shapes: Record<AnswerKind, Shape> = {
  percent: {
    asked:
      /(?<!\p{L})(?:(?:what|which) (?:share|portion|proportion|percentage|percent|fraction)|percentage|wie viel prozent|welcher anteil|prozentsatz|quel pourcentage|qué porcentaje|che percentuale|quale percentuale)(?!\p{L})/iu,
    answer:
      /[%％]|(?<!\p{L})(?:per ?cent|percent(?:age)?|prozent|pour cent|por ciento|per cento|half|hälfte|(?:one|two)[ -](?:third|quarter|fifth|tenth)s?|quarter|third|mitad|moitié|metà)(?!\p{L})/iu,
  },
  temperature: {
    asked: /(?<!\p{L})temperat\w+(?!\p{L})/iu,
    answer: /\d\s?(?:°|º|℃|℉|degrees?|grad|degrés?|grados|gradi)|\d\s?[CF](?!\p{L})/iu,
  },
  ...timeShapes,
  money,
  ...contactShapes,
  // In Spanish and Italian "memoria" is a report, too, and in French "le mémoire" is a thesis.
  storage: {
    asked: new RegExp(
      `${begin}${asking}${end}.{0,60}?(?:${begin}(?:memory|ram|storage|disk space|hard dis[kc]|sd[ -]cards?|bandwidth|file size|(?<!(?:du|le|un|ce) )mémoire|espace disque|espacio en disco|almacenamiento|spazio su disco)${end}|speicher(?:platz)?${end}|festplatte|${begin}memoria (?:ram|rom|flash|interna|usb))|${begin}(?:cu[áa]nta|quanta|qu[ée]) memoria${end}`,
      'iu',
    ),
    answer: new RegExp(figureOf('[KMGTP]i?B(?:ytes?|it/s|ps)?|[kmgt]?bytes?|[kmg]?bits?|[KMGT]o|octets?'), 'iu'),
  },
  weight: {
    asked: new RegExp(
      `${begin}(?:how heavy|how (?:much|many \\p{L}+) (?:do|does|did|may|can)${end}.{0,60}?weigh|wie schwer|${asking}${end}.{0,60}?${begin}(?:weights?|weigh|mass|gewicht|wiegt|poids|peso|pèse|pesa)${end})`,
      'iu',
    ),
    answer: new RegExp(
      figureOf(
        '[kmµ]?g|kgs?|lbs?|oz|t|(?:kilo|milli)?gram(?:me|m|o)?s?|kilos?|pounds?|ounces?|tons?|tonnes?|pfund|tonnen|livres?|toneladas?|tonnellate',
      ),
      'iu',
    ),
  },
  power: {
    asked: new RegExp(
      `${begin}(?:how many (?:kilo|mega|milli)?(?:watts?|volts?|amp(?:ere)?s?|watt[- ]?hours?)|${asking}${end}.{0,60}?${begin}(?:voltage|wattage|power (?:consumption|supply|rating)|amperage|spannung|leistungsaufnahme|stromaufnahme|tension|puissance|consommation électrique|voltaje|potencia|tensione|potenza))${end}`,
      'iu',
    ),
    answer: new RegExp(
      figureOf(
        '[kmMG]?W|[kMG]?Wh|[km]?VA?|[mµ]?A|m?Ah|(?:kilo|mega|milli)?(?:watts?|volts?|amp(?:ere)?s?)|vatios?|voltios?',
      ),
      'u',
    ),
  },
  length: {
    asked: new RegExp(
      `${begin}(?:how (?:wide|tall|deep|thick|far)(?! (?:apart|ahead|in advance|back|along|behind))|how (?:long|high) (?:is|was|are|were) (?:the |its |his |her )?(?:\\p{L}+ ){0,2}?(?:river|bridge|runway|road|wall|coast\\p{L}*|cables?|trail|line|border|tunnel|tower|mountain|building|fence)|wie (?:weit|breit|tief|dick)|${asking}${end}.{0,60}?${begin}(?:distances?|lengths?|widths?|heights?|depths?|diameters?|thickness|radius|abstand|entfernung|länge|breite|durchmesser|dicke|longueur|largeur|hauteur|profondeur|épaisseur|diamètre|distancias?|longitud|anchura|altura|profundidad|grosor|diámetro|distanza|lunghezza|larghezza|altezza|profondità|diametro))${end}`,
      'iu',
    ),
    answer: new RegExp(
      `${figureOf('[kcmµn]?m|ft|feet|foot|[-–]?inch(?:es)?|in|yd|yards?|mi(?:les?)?|(?:kilo|centi|milli)?met(?:er|re|ro)s?|metern|zoll|mètres?|metri|pieds?|pouces?|pies|pulgadas?')}|\\d\\s?[″"]`,
      'iu',
    ),
  },
  speed: {
    asked: new RegExp(
      `${begin}(?:how fast|(?:what|which) (?:(?:is|are|was|were) (?:the |its )?)?(?:\\p{L}+ ){0,2}?speed|speed limit|wie schnell|(?:welche|wie hoch ist die) (?:höchst)?geschwindigkeit|tempolimit|quelle (?:est la )?vitesse|(?:cu[áa]l es la|qu[ée]) velocidad|(?:qual è la|quale) velocità)${end}`,
      'iu',
    ),
    answer: new RegExp(
      `\\d\\s?(?:km/h|kmh|kph|mph|m/s|ft/s|kn|knots?|knoten|[Rr]pm|U/min|[GMk]?Hz|[KMGT]?(?:[Bb]it|B)(?:/s|ps)|[MGT]?(?:FL)?OPS)${end}|${begin}(?:per|pro|par|por|al|je) (?:second|minute|hour|sekunde|minute|stunde|seconde|heure|segundo|minuto|hora|ora)${end}|/(?:sec|min|h)${end}|\\d\\s?(?:[-–]\\s?)?${time}${end}`,
      'iu',
    ),
  },
  area: {
    asked: new RegExp(
      `${begin}(?:(?:floor|surface|lot|roof|sign|living|usable|gross|net|maximum|minimum|smallest|largest) area|floor space|square footage|how many (?:square \\p{L}+|acres|hectares)|(?:wohn|nutz|grund|gesamt|verkaufs|mindest)fläche|wie viele (?:quadratmeter|hektar)|quelle (?:superficie|surface)|combien de (?:mètres carrés|m²|hectares)|qu[ée] superficie|cu[áa]ntos (?:metros cuadrados|m²)|che superficie|quanti (?:metri quadr\\p{L}+|m²))${end}`,
      'iu',
    ),
    answer: new RegExp(
      `${begin}(?:sq\\.? ?(?:m|ft|km|mi|in)|sqm|qm|ha|square|acres?|hectares?|hektar|quadrat\\p{L}+|mètres carrés|metros cuadrados|metri quadr\\p{L}+)${end}|\\d\\s?(?:m²|m2|ft²|km²|qm|ha|sqm)(?![\\p{L}\\d])`,
      'iu',
    ),
  },
  // Of people and things: neither money nor a share, nor a year.
  count: {
    asked: new RegExp(
      `${begin}(?:how many|wie ?viele|combien (?:de|d['’])|cu[áa]nt[oa]s|quant[ie])${end}(?! ?(?:of|von|per ?cent|prozent|dollars|euros?|pounds|francs|franken|cents|rand|yen|rupees|millions?|billions?|times|points|(?:\\p{L}+ )?(?:tons?|tonnes?|tonnen|barrels?|acres?|hectares?|hektar|gallons?|lit(?:er|re)s?|miles?|(?:kilo)?met(?:er|re)s?|kilos?))${end})`,
      'iu',
    ),
    answer: new RegExp(
      `(?<![\\p{L}$€£¥₹\\d.,/-]|[$€£¥₹]\\s|[\\p{L}\\d]\\(|${begin}(?:USD|EUR|GBP|CHF|INR|JPY) ?)(?!(?:19|20)\\d\\d(?!\\d))(?:\\d{1,3}(?:[.,'’ ]\\d{3})+|\\d+)(?!\\d|[.,]\\d|\\s?(?:[%‰€$£¥]|per ?cent|prozent)|[ -]${time}${end})|\\d[.,]\\d+ (?:hundred|thousand|[mb]illion|million|milliard|mio|mrd)|${begin}(?:no(?:ne)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|twenty|thirty|forty|fifty|hundreds?|thousands?|half|both|kein\\p{L}*|eine?[nr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|un[oa]|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|due|tre|quattro|cinque|sei|sette|otto|nove|dieci)${end}`,
      'iu',
    ),
  },
};

const kinds = [
  'phone',
  'email',
  'percent',
  'temperature',
  'day',
  'clock',
  'frequency',
  'duration',
  'storage',
  'power',
  'money',
  'weight',
  'speed',
  'area',
  'length',
  'count',
] as const satisfies AnswerKind[];

/** Of a question for a person, a place or a reason none is asked for; of one for a date, no amount. */
const kindsOf: Record<AnswerType, ReadonlySet<AnswerKind>> = {
  amount: new Set(kinds),
  date: new Set(['day', 'clock', 'frequency', 'duration']),
  person: new Set(),
  place: new Set(),
  reason: new Set(),
};

/** The kind of answer that is asked for; null: the words of the question do not say. */
export function askedKind(question: string): AnswerKind | null {
  const asked = endsOf(question);
  const type = answerType(asked);
  const possible = type === null ? kinds : kinds.filter((each) => kindsOf[type].has(each));
  const kind = possible.find((each) => shapes[each].asked.test(asked)) ?? null;
  return kind === 'percent' && asksShareOfTwo(asked) ? null : kind;
}

/** No part of a code, as "RP2040" is one. */
const isFigure = /(?<![\p{L}\d][-–/.]?)\d/u;

/**
 * Whether something of this kind stands in a text. Of a row, its cells behind the label: a figure alone may be money.
 */
export function hasKind(text: string, kind: AnswerKind, isCells = false): boolean {
  if (isCells && kind === 'money')
    return isFigure.test(text.replace(/(?<![-\d.,])[-\d.,]+\s?%/g, '')) || shapes.money.answer.test(text);
  return shapes[kind].answer.test(text);
}
