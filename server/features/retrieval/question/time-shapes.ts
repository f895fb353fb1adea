import { day, isoDay, month } from './other-numbers.ts';

/** Points and amounts of time, as questions ask for them and texts have them. */
export type TimeKind = 'day' | 'clock' | 'frequency' | 'duration';

/** How questions ask for it, and what stands in a text that has it: in English, German, French, Spanish, Italian. */
export interface Shape {
  asked: RegExp;
  answer: RegExp;
}

export const begin = '(?<![\\p{L}\\p{N}])';
export const end = '(?![\\p{L}])';
const numeral =
  '(?:\\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety|ein|eine[mnrs]?|zwei|drei|vier|fünf|sechs|zehn|zwölf|un|une|deux|trois|dos|tres|cuatro|cinco|diez|due|tre|half an?|an?)[ -])';
export const time =
  '(?:business |calendar |working |fiscal )?(?:seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|yrs?|hrs?|mins?|sekunden?|minuten?|stunden?|tagen?|tage?s?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|dias?|semanas?|mes(?:es)?|años?|secondi|minuti|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])';
export const asking =
  '(?:how much|what|which|wie ?viel|was|welche\\p{L}*|combien|quel\\p{L}*|cu[áa]nt[oa]|qu[ée]|cu[áa]l|quant[oa]|quale?)';
/** A figure, its unit right behind it; the unit may stand before it, as in the head of a column. */
export const figureOf = (units: string) => `\\d\\s?[-–]?\\s?(?:${units})${end}|[(\\[](?:in )?(?:${units})[)\\]]`;

export const timeShapes: Record<TimeKind, Shape> = {
  // More than the year or month in which something was.
  day: {
    asked: new RegExp(
      `${begin}(?:(?:what|which) (?:exact )?(?:days?|dates?)(?![ -](?:of (?:leave|holiday|vacation|work)|range|format|field|rate|care|trips?|offs?|palm))|exact dates?|welche[mnrs]? (?:genauen? )?(?:tag|datum)|quel(?:le)?s? (?:jours?|dates?)|(?<!de )qu[ée] (?:d[íi]as?|fechas?)|(?:che|quale) (?:giorno|data))${end}`,
      'iu',
    ),
    answer: new RegExp(
      `(?<!\\d)\\d{1,2}(?:st|nd|rd|th|er|º|\\.º|\\.)?\\s+(?:of\\s+|de\\s+)?${month}|(?<!\\p{L})${month}\\.?\\s+(?:the )?${day}(?!\\d)|(?<!\\p{L})\\p{Lu}{3,9} \\d{1,2},? \\d{4}|(?<!\\d)\\d{4}/\\d\\d?/\\d\\d?(?!\\d)|(?<![\\d.,/])\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}(?!\\d)|(?<!\\d)${isoDay}(?!\\d)|\\d{1,2}\\s*月\\s*\\d{1,2}|(?<!\\p{L})(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)s?(?!\\p{L})|\\d(?:st|nd|rd|th) (?:of (?:the|each|every)|day)|(?:first|last) (?:\\p{L}+ )?day`,
      'u',
    ),
  },
  clock: {
    asked: new RegExp(
      `(?<!within |how many )${begin}(?:(?:at|by|until|till|from|before|after|since) (?:what|which) time|what time|(?:what|which) times? of (?:the )?day|(?:what|which) hours|(?:opening|office|business|visiting|quiet) hours|(?:um|ab|bis|vor|nach) wie ?viel uhr|wie ?viel uhr|uhrzeit(?:en)?|öffnungszeiten|quelles? heures?|horaires d.ouverture|a qué horas?|qué horario|horarios? de (?:apertura|atención)|a che ora|orari di apertura)${end}(?! (?:of year|of the year|limit|frame|period|span|zone|spent|is needed|is left))`,
      'iu',
    ),
    answer: new RegExp(
      `(?<!\\d)\\d{1,2}(?:[:h]\\d\\d(?!\\d)|[:.]\\d\\d ?(?:[ap]\\.? ?m\\b|uhr|hrs?|h${end})| ?(?:[ap]\\.? ?m\\b|uhr|o.clock|hrs|heures|horas|h${end}))|${begin}(?:noon|midnight|midday|mittags?|mitternachts?|midi|minuit|mediodía|medianoche|mezzogiorno|mezzanotte)${end}|${begin}(?:24 hours|around the clock|rund um die uhr)${end}|\\d\\s?[点點時时]`,
      'iu',
    ),
  },
  // Of what has happened so often it is asked how many there were.
  frequency: {
    asked: new RegExp(
      `${begin}(?:how (?:often|frequently|regularly)(?! (?:was|were|did|has|have|had)${end})|wie (?:oft|häufig)(?! (?:war|wurden?|hat|haben)${end})|in welchen abständen|à quelle fréquence|tous les combien|(?:cada cu[áa]nto|con qu[ée] frecuencia)|ogni quanto|con che frequenza)${end}`,
      'iu',
    ),
    answer: new RegExp(
      `${begin}(?:(?:bi-?|semi-?|half-?)?(?:hourly|daily|nightly|weekly|monthly|quarterly|annual(?:ly)?|yearly)|fortnightly|regularly|every|each|once|twice|(?:\\d+|two|three|four|five|six|ten|several) times|at (?:all|any) times?|(?:an?|per) (?:hour|day|week|month|quarter|year)|(?:stünd|täg|wöchent|monat|vierteljähr|halbjähr|jähr)lich\\p{L}*|quartalsweise|jede[nrsm]?|alle|(?:ein|zwei|drei|vier)mal|(?:mal )?(?:pro|im|je) (?:tag|woche|monat|quartal|jahr)|quotidien\\p{L}*|hebdomadaire\\p{L}*|mensuel\\p{L}*|trimestriel\\p{L}*|semestriel\\p{L}*|annuel\\p{L}*|chaque|tou(?:te)?s les|fois|(?:dia|seman|mensu|trimestr|semestr|anu)(?:al|ari)(?:mente|es|[oa]s?)?|cada|tod[oa]s l[oa]s|ve(?:z|ces)|giornalier\\p{L}*|settiman(?:al|alment)e|(?:mens|trimestr|semestr|annu)al(?:mente|e|i)|ogni|volt[ae])${end}`,
      'iu',
    ),
  },
  duration: {
    asked: new RegExp(
      `${begin}(?:how (?:far (?:ahead|in advance)|much (?:advance )?notice|quickly|long|soon|recent(?:ly)?|old)(?! (?:is|was|are|were) (?:the |its |his |her )?(?:\\p{L}+ ){0,2}?(?:river|bridge|runway|road|wall|coast\\p{L}*|cable|trail|line|border|tunnel)${end})|(?:how (?:many|much)|(?:for )?how many|wie ?viele|combien (?:de|d['’])|cu[áa]nt[oa]s|quant[ie]) ${time}|how much time|wie lange|wie alt|combien de temps|cu[áa]nto tiempo|quanto tempo)${end}`,
      'iu',
    ),
    answer: new RegExp(
      `${numeral}[^\\p{L}\\d]{0,3}(?:[-–]\\s?\\d+\\s?|to \\d+ )?(?:or more )?${time}${end}|${begin}(?:since|until|from|between|seit|bis|depuis|jusqu|desde|hasta|dal|fino)${end}[^.]{0,30}\\d{4}|${begin}(?:daily|weekly|monthly|annual(?:ly)?|yearly|immediately)${end}|\\d\\s?(?:km|m|ft|feet|foot|miles?|metres?|meters?|cm|mm|inch(?:es)?)${end}|${numeral}\\s?(?:\\p{L}+ )?(?:characters?|letters?|digits?|words?|pages?|lines?|zeichen|buchstaben|ziffern|stellen|wörter|seiten|zeilen|caractères|lettres|chiffres|mots|lignes|caracteres|letras|palabras|páginas|caratteri|lettere|parole|pagine)${end}|${begin}(?:centur|decade)`,
      'iu',
    ),
  },
};
