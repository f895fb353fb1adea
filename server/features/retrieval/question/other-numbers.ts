/** The parts of a date, as they are written in the languages of the answers' shapes. */
export const month =
  '(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|March|Mar|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?|janvier|février|mars|avril|juin|juillet|août|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر)(?![\\p{L}\\p{M}])';
export const day = '\\d{1,2}(?:st|nd|rd|th|\\.)?';
/** `2024-06-30`, and no number of a directive as `2018-23-51` is one. */
export const isoDay = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
export const year = '(?:1\\d|20)\\d\\d(?![\\d.,]*\\d)';

/** Dates: what stands in them is no amount; */
const dates = new RegExp(
  [
    `(?<![\\p{L}\\p{M}\\d.,])${day}\\s+(?:of\\s+|de\\s+)?${month}(?:,?\\s+(?:de\\s+)?${year})?`,
    `(?<![\\p{L}\\p{M}])${month}\\s+${day}(?!\\d|[.,]\\d|\\s?%)(?:,?\\s+${year})?`,
    '(?<![\\d.,/])\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}(?!\\d)',
    '(?<!\\d)\\d{4}-\\d\\d(?:-\\d\\d)?(?!\\d)',
  ].join('|'),
  'gu',
);
/** nor is the number of a page or part. */
const partNumbers =
  /(?<!\p{L})(?:pages?|notes?|sections?|subsections?|chapters?|ch\.|tables?|figures?|items?|rules?|articles?|art\.|amendments?|forms?|no\.|seite|abschnitt|kapitel|tabelle) \d+(?:\.\d+)*(?![\d%])|(?<![\p{L}\d.,$€£¥])(?:\d{1,2}(?:\.\d{1,2}){2,}|0\d{2,})(?![\d%])/giu;

/** The numbers of a text that are no amounts. */
export function otherNumbersIn(text: string): { start: number; end: number }[] {
  return [dates, partNumbers].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: piece }) => ({ start: index, end: index + piece.length })),
  );
}
