import { wordSet } from './tokens.ts';

/**
 * What is counted or measured, in the words of every language that is known here, folded (lower case, no accents). Each
 * line is one unit: what it measures, how many of that measure's base it is, and the words for it.
 */
const lines = `
time 1/60 s sec secs second seconds sekunde sekunden seconde secondes segundo segundos
time 1 min mins minute minutes minuten minuto minutos
time 15 viertelstunde
time 45 dreiviertelstunde
time 30 demi-heure
time 60 h hr hrs hour hours hourly std stunde stunden stundlich heure heures horaire hora horas
time 1440 day days daily tag tage tagen taglich tages jour jours journalier quotidien dia dias diario diaria diariamente
time 1440 workday workdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen kalendertag kalendertage kalendertagen
time 10080 week weeks weekly woche wochen wochentlich semaine semaines hebdomadaire semana semanas semanal semanales
months 1 month months monthly monat monate monaten monatlich mois mensuel mensuels mes meses mensual mensuales
months 3 quarter quarters quarterly quartal quartale vierteljahr vierteljahrlich trimestre trimestres trimestral
months 6 halbjahr
months 12 year years yearly annual annually yr yrs jahr jahre jahren jahrlich an ans annee annees annuel ano anos anual anuales
night 1 night nights nightly nacht nachte nachten ubernachtung ubernachtungen nuit nuits nuitee nuitees noche noches
length 1/1000 mm millimeter millimetre millimetres millimeters milimetro milimetros
length 1/100 cm centimeter centimetre centimetres centimeters zentimeter centimetro centimetros
length 1 meter metre metres meters metern metro metros
length 1000 km kilometer kilometre kilometres kilometers kilometern kilometro kilometros
length 1609.344 mi mile miles meile meilen milla millas
length 0.3048 ft foot feet
length 0.0254 inch inches zoll pouce pouces pulgada pulgadas
mass 1/1000 mg milligram milligrams milligramm
mass 1 g gram grams gramm gramme grammes gramo gramos
mass 1000 kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos
mass 1000000 ton tons tonne tonnes tonnen tonelada toneladas
mass 453.592 lb lbs pfund
volume 1/1000 ml milliliter millilitre millilitres mililitro mililitros
volume 1 l liter litre litres liters litern litro litros
volume 1000 m3 m³ kubikmeter
area 1 m2 m² sqm quadratmeter
percent 1 % percent prozent pct pourcent percento
percent 1/10 ‰ promille
points 1 percentage-points prozentpunkt prozentpunkte prozentpunkten
celsius 1 °c celsius
fahrenheit 1 °f fahrenheit
degree 1 ° degree degrees grad degre degres grado grados
EUR 1 € eur euro euros
USD 1 $ usd us$ dollar dollars dolar dolares
GBP 1 £ gbp pound pounds sterling livre livres libra libras
CHF 1 chf sfr fr franc francs franken francos franco
JPY 1 ¥ jpy yen
cents 1 cent cents centime centimes rappen centimo centimos centavo centavos pence penny
data 1 kb kilobyte kilobytes
data 1000 mb megabyte megabytes
data 1000000 gb gigabyte gigabytes
data 1000000000 tb terabyte terabytes
speed 1 km/h kmh mph
power 1 w watt watts
power 1000 kw kilowatt kilowatts
power 1000000 mw megawatt
energy 1 wh
energy 1000 kwh
energy 1000000 mwh
charge 1 mah
charge 1000 ah
voltage 1 v volt volts voltios
voltage 1/1000 mv millivolt
voltage 1000 kv kilovolt
current 1 amp amps ampere amperes
current 1/1000 ma milliampere milliamperes
resistance 1 ohm ohms
resistance 1000 kohm kiloohm kiloohms kilohm kilohms
frequency 1 hz hertz
frequency 1000 khz
frequency 1000000 mhz
frequency 1000000000 ghz
`;

export interface Measure {
  /** What is measured, such as `time`, or a currency's code. */
  of: string;
  /** How many of the base unit it is. */
  base: number;
}

const measures = new Map<string, Measure>();
for (const line of lines.trim().split('\n')) {
  const [of = '', base = '1', ...words] = line.split(' ');
  const [over = 1, under = 1] = base.split('/').map(Number);
  for (const word of words) measures.set(word, { of, base: over / under });
}

export const currencies = new Set(['EUR', 'USD', 'GBP', 'CHF', 'JPY']);

/** Letters that are a unit only right behind a number: "8 h", not "h" alone. They say nothing elsewhere. */
export function measureOf(folded: string): Measure | null {
  return measures.get(folded) ?? null;
}

/** What letters before a unit count. A capital may make a million of a thousandth, so that it is read as written. */
const prefixes: Record<string, number> = {
  n: 1e-9,
  µ: 1e-6,
  μ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};
/** Units with the letters that are written before them; "TV" is no voltage, and "pm", "nm", "Mm" are hardly lengths. */
const prefixed: readonly (readonly [pattern: RegExp, of: string, base: number])[] = [
  [/^([nµμmkKMGT])A$/u, 'current', 1],
  [/^([µμmkM])V$/u, 'voltage', 1],
  [/^([nµμmkKMGT])W$/u, 'power', 1],
  [/^([mkKMGT])Wh$/u, 'energy', 1],
  [/^([mk]?)Ah$/u, 'charge', 1000],
  [/^([mkKMGT])Hz$/u, 'frequency', 1],
  [/^([nµμmk])g$/u, 'mass', 1],
  [/^([µμmcdk])m$/u, 'length', 1],
  [/^([µμmcd])[lL]$/u, 'volume', 1],
  [/^([kKMGT]?)Bytes?$|^([kKMGT])B$/u, 'data', 1e-3],
];

/** A unit with a letter before it as it is written behind a number: "mA", "kWh", "GHz"; null where it is none. */
export function prefixedMeasureOf(text: string): Measure | null {
  for (const [pattern, of, base] of prefixed) {
    const found = pattern.exec(text);
    if (found) return { of, base: base * (prefixes[found[1] ?? found[2] ?? ''] ?? 1) };
  }
  return null;
}

const monthNames = [
  'january januar jan janvier enero ene janv',
  'february februar feb fevrier febrero fev febr',
  'march marz mar mars marzo',
  'april apr avril abril abr avr',
  'may mai mayo',
  'june juni jun juin junio',
  'july juli jul juillet julio juil',
  'august aug aout agosto ago',
  'september sep sept septembre septiembre setiembre',
  'october oktober oct okt octobre octubre',
  'november nov novembre noviembre',
  'december dezember dec dez decembre diciembre dic',
];
const months = new Map(monthNames.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const)));
/** Names of months that are other words too, in some language: they count with a capital or beside a number. */
const ambiguousMonths = wordSet('march mar mars may mai mayo ago sep dec dic jan ene jun jul');

/** 1 to 12. @param isSure there is a number beside it */
export function monthOf(text: string, folded: string, isSure: boolean): number | null {
  const month = months.get(folded);
  if (month === undefined || (ambiguousMonths.has(folded) && !isSure && !/^\p{Lu}/u.test(text))) return null;
  return month;
}

const weekdayNames = [
  'monday mondays montag montags lundi lundis lunes',
  'tuesday tuesdays dienstag dienstags mardi mardis martes',
  'wednesday wednesdays mittwoch mittwochs mercredi mercredis miercoles',
  'thursday thursdays donnerstag donnerstags jeudi jeudis jueves',
  'friday fridays freitag freitags vendredi vendredis viernes',
  'saturday saturdays samstag samstags sonnabend samedi samedis sabado sabados',
  'sunday sundays sonntag sonntags dimanche dimanches domingo domingos',
];
const weekdays = new Map(weekdayNames.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const)));

/** 1 is Monday. */
export function weekdayOf(folded: string): number | null {
  return weekdays.get(folded) ?? null;
}
