import { analyze } from '#server/lib/analyze.ts';
import type { Unit } from '../../extract/unit.ts';
import { type Abbreviation, abbreviationsIn, withOtherForms } from './abbreviations.ts';
import { type ReadText, readText } from './facts/facts.ts';
import { type Language, languageOf } from './facts/language.ts';
import { fold } from './facts/tokens.ts';
import { namesIn } from './names.ts';
import type { ReadUnit } from './relation.ts';

/** A passage as claims are checked against it. */
export interface SupportingPassage {
  /** The file's name and the headings, whose words count for every sentence. */
  above: string;
  units: Unit[];
  /** Passages of one document explain abbreviations for each other. */
  documentId?: string;
}

/** What is looked at of a passage for every claim. */
export interface PreparedPassage {
  plain: string;
  language: Language | null;
  terms: Set<string>;
  years: Set<string>;
  initials: string;
  /** Names that stand in it in the middle of a sentence, folded. */
  names: ReadonlySet<string>;
  units: PreparedUnit[];
}

export interface PreparedUnit extends ReadUnit {
  unit: Unit;
  terms: string[];
  head: string[];
  /** With the lines before and behind it where a page breaks a sentence off. */
  whole: string;
}

/** Numbers and names stand for most of what can be wrong in a claim. */
const numberPattern = /\p{N}+(?:[.,'’]\p{N}+)*/gu;
/** "FY19" and "F19" are 2019. */
const fiscalYear = /\bFY? ?(\d\d)\b/;
/** What words count that hold for all of a sentence or row. */
const aroundShares = { label: 1, above: 0.6, referred: 0.45, before: 0.2 };
export const refersBack =
  /^(?:["'“„(]\s*)?(?:he|she|it|they|his|her|its|their|this|these|that|those|such|there|both|er|sie|es|sein\w*|ihr\w*|dies\w*|jene\w*|dabei|dadurch|damit|dort|hier\w*|il|elle|ils|elles|ce|cette|ces|él|ella|ellos|este|esta|esto)(?!\p{L})/iu;
/** "Earnings per share (1,2)". */
const footnotes = /(?<=\p{L}\)?\s*)\((?:\d{1,2}|[a-z])(?:,\s?(?:\d|[a-z]))*\)\s*$/u;
const unitColumn = /^(?:units?|einheit|unité|unidad|mesure|medida)$/i;
/** A written answer has many claims, and each is looked up in the same few passages. */
const prepared = new WeakMap<SupportingPassage, PreparedPassage>();
const explained = new WeakMap<SupportingPassage, Abbreviation[]>();

/** Lets passages of one document know each other's abbreviations. To be called before any of them is looked at. */
export function shareAbbreviations(passages: readonly SupportingPassage[]): void {
  for (const some of Map.groupBy(passages, (passage) => passage.documentId ?? passage).values()) {
    const all = abbreviationsIn(some.map(({ units }) => units.map(({ text }) => text).join('\n')).join('\n'));
    for (const passage of some) explained.set(passage, all);
  }
}

/** Reads a passage for claims to be compared with it; the same passage is read once. */
export function prepare(passage: SupportingPassage): PreparedPassage {
  const before = prepared.get(passage);
  if (before) return before;
  const { above, units } = passage;
  const everywhere = `${above} ${units.map((unit) => `${unit.text} ${headOf(unit)}`).join(' ')}`;
  const language = languageOf(everywhere);
  const abbreviations = explained.get(passage) ?? abbreviationsIn(units.map(({ text }) => text).join('\n'));
  const others: string[][] = [];
  const readTexts = units.map((unit, i) => {
    const { row, text } = unit;
    const own = readText(row ? rowText(row) : `${text}${scaleBehind(unit, units[i + 1])}`, language ?? 'en', !!row);
    const { read, terms } = withOtherForms(own, abbreviations);
    others.push(terms);
    return read;
  });
  const sections = sectionsOf(units);
  const names = new Set(readTexts.flatMap((read) => namesIn(read.tokens, language).map(fold)));
  const inHeadings = headingNames(`${above} ${units[0]?.heading ?? ''}`, readTexts, language);
  const made: PreparedPassage = {
    names,
    plain: plain(everywhere),
    language,
    terms: new Set([...analyze(everywhere), ...others.flat()]),
    years: new Set([...numbersIn(everywhere), ...shortYears(everywhere), ...readTexts.flatMap(yearsOf)]),
    initials: (everywhere.match(/(?<!\p{L})\p{L}/gu) ?? []).join('').toLowerCase(),
    units: units.map((unit, i) => {
      const section = sections[i] ?? '';
      const read = readTexts[i] ?? readText('', 'en');
      const around = new Map<string, number>();
      const add = (text: string, share: number) => {
        for (const term of analyze(text)) around.set(term, Math.max(around.get(term) ?? 0, share));
      };
      add(above, aroundShares.above);
      if (!unit.row) add(units[i - 1]?.text ?? '', beforeShare(unit, units[i - 1]));
      if (isBroken(unit)) add(units[i + 1]?.text ?? '', aroundShares.label);
      add(`${unit.heading} ${unit.row?.caption ?? ''} ${unit.row?.parents?.join(' ') ?? section}`, aroundShares.above);
      if (unit.row) add(`${unit.row.cells[0] ?? ''} ${unit.row.header?.[0] ?? ''}`, aroundShares.label);
      return {
        unit,
        terms: [...analyze(unit.text), ...(others[i] ?? [])],
        head: analyze(`${headOf(unit)} ${section}`),
        read,
        around,
        names: new Set(namesIn(read.tokens, language, names.union(inHeadings)).map(fold)),
        isRow: unit.row !== undefined,
        whole: [
          isBroken(units[i - 1]) ? readTexts[i - 1]?.plain : '',
          read.plain,
          isBroken(unit) ? readTexts[i + 1]?.plain : '',
        ].join(' '),
      };
    }),
  };
  prepared.set(passage, made);
  return made;
}

/** Names that headings have: a title may have a capital for each of its words, which a text has without. */
function headingNames(headings: string, readTexts: readonly ReadText[], language: Language | null): Set<string> {
  const small = new Set(readTexts.flatMap(({ tokens }) => tokens.map(({ text }) => text)));
  const { tokens } = readText(headings, language ?? 'en');
  return new Set(
    namesIn(tokens, language)
      .map(fold)
      .filter((name) => !small.has(name)),
  );
}

/** Of each row the last one above it that has a label and nothing else: "Deferred tax assets:". */
function sectionsOf(units: readonly Unit[]): string[] {
  let section = '';
  return units.map(({ row }) => {
    const [label = '', ...cells] = row?.cells ?? [];
    if (!row) section = '';
    else if (cells.length > 0 && cells.every((cell) => cell.trim() === '')) section = label;
    return section;
  });
}

/** How far the sentence before holds for one, too: wholly where it goes on, more where it is referred to. */
function beforeShare(unit: Unit, before: Unit | undefined): number {
  if (isBroken(before)) return aroundShares.label;
  return refersBack.test(unit.text) ? aroundShares.referred : aroundShares.before;
}

/** A line that a page breaks off, and that goes on in the next. */
function isBroken(unit: Unit | undefined): boolean {
  return unit !== undefined && !unit.row && unit.text.length > 20 && !/[.!?:;。…]["'»”’)\]]*$/u.test(unit.text);
}

/** What a number at the end of a broken line counts stands in the next one: "from ~3" and "million people". */
function scaleBehind(unit: Unit, next: Unit | undefined): string {
  const [behind = ''] =
    /^(?:thousand|million|billion|tausend|millionen|milliarden|milliers|millones)(?:\s\p{Ll}+)?/iu.exec(
      next?.row ? '' : (next?.text ?? ''),
    ) ?? [];
  return behind !== '' && isBroken(unit) && /\p{N}$/u.test(unit.text) ? ` ${behind}` : '';
}

/**
 * Each cell with the name of its column, as a part of a sentence; a unit that has a column of its own beside its
 * number.
 */
function rowText({ header, cells }: NonNullable<Unit['row']>): string {
  return cells
    .map((cell, i) => {
      const head = header?.[i] ?? '';
      return unitColumn.test(head) ? ` ${cell}` : `${i === 0 ? '' : ' ; '}${head} ${cell.replace(footnotes, '')}`;
    })
    .join('');
}

function headOf({ heading, row }: Unit): string {
  return `${heading} ${row?.header?.join(' ') ?? ''}`;
}

/** Thousands are written in many ways: only the digits are compared, and where a fraction begins. */
export function numbersIn(text: string): Set<string> {
  const found = text.normalize('NFKC').replaceAll(new RegExp(fiscalYear, 'g'), '20$1').match(numberPattern) ?? [];
  return new Set(found.map((number) => number.replace(/[.,'’](?=\p{N}{3}(?!\p{N}))/gu, '').replaceAll(',', '.')));
}

/** "2018/19" and "'19" are 2019, too. */
function shortYears(text: string): string[] {
  return [...text.matchAll(/(?:\b(?:19|20)\d\d ?[-–/] ?|['’])(\d\d)(?!\d)/g)].flatMap(([, year]) => [
    `20${year}`,
    `19${year}`,
  ]);
}

/** The years of dates, which may be written with dots: "31.12.2016". */
function yearsOf({ facts }: ReadText): string[] {
  return facts.flatMap(({ quantity }) =>
    quantity?.of === 'date' ? quantity.values.map((date) => String(Math.floor(date / 10_000))) : [],
  );
}

/** In one line, without what ends a sentence. */
export function plain(text: string): string {
  const all = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  let end = all.length;
  while (end > 0 && /[.\s]/.test(all.charAt(end - 1))) end--;
  return all.slice(0, end);
}
