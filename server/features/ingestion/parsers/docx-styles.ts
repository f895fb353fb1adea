import { attribute, descend, elementsOf, type XmlElement } from './xml.ts';

interface Style {
  name: string;
  basedOn: string | undefined;
  properties: XmlElement | undefined;
}

interface Level {
  format: string;
  /** As `%1.%2)`; empty when the level shows no number. */
  text: string;
  start: number;
}

/** What a paragraph is, by its own properties and those of its styles. */
export interface ParagraphKind {
  /** 1 to 6; undefined when it is no heading. */
  level: number | undefined;
  isItem: boolean;
  /** The number that the program shows before it: `3.2`, `(a)`. Empty for a bullet. */
  number: string;
}

/** Headings and numbered lists of a Word document. Counts along, so paragraphs must be asked for in their order. */
export class WordStyles {
  readonly #styles = new Map<string, Style>();
  readonly #lists = new Map<string, Map<number, Level>>();
  /** The abstract list of each list: lists that share one count together. */
  readonly #abstractOf = new Map<string, string>();
  readonly #counters = new Map<string, number[]>();

  constructor(styles: XmlElement | null, numbering: XmlElement | null) {
    for (const style of elementsOf(styles ?? undefined, 'style')) {
      this.#styles.set(attribute(style, 'styleId') ?? '', {
        name: attribute(descend(style, 'name'), 'val') ?? '',
        basedOn: attribute(descend(style, 'basedOn'), 'val'),
        properties: descend(style, 'pPr'),
      });
    }
    for (const list of elementsOf(numbering ?? undefined, 'abstractNum'))
      this.#lists.set(attribute(list, 'abstractNumId') ?? '', levelsOf(list));
    for (const list of elementsOf(numbering ?? undefined, 'num'))
      this.#abstractOf.set(attribute(list, 'numId') ?? '', attribute(descend(list, 'abstractNumId'), 'val') ?? '');
  }

  kindOf(properties: XmlElement | undefined): ParagraphKind {
    const chain = this.#chain(attribute(descend(properties, 'pStyle'), 'val'));
    const all = [properties, ...chain.map((style) => style.properties)];
    const outline = first(all, (each) => attribute(descend(each, 'outlineLvl'), 'val'));
    const level = outline !== undefined && Number(outline) < 9 ? Number(outline) + 1 : first(chain, levelByName);
    const numId = first(all, (each) => attribute(descend(each, 'numPr', 'numId'), 'val'));
    const depth = Number(first(all, (each) => attribute(descend(each, 'numPr', 'ilvl'), 'val')) ?? 0);
    const isListed = numId !== undefined && numId !== '0';
    return {
      level: level === undefined ? undefined : Math.min(level, 6),
      isItem: isListed || chain.some(({ name }) => /^list (bullet|number)/i.test(name)),
      number: isListed ? this.#count(numId, depth) : '',
    };
  }

  #chain(id: string | undefined): Style[] {
    const chain: Style[] = [];
    for (let style = this.#styles.get(id ?? ''); style && !chain.includes(style); ) {
      chain.push(style);
      style = this.#styles.get(style.basedOn ?? '');
    }
    return chain;
  }

  #count(numId: string, depth: number): string {
    const abstract = this.#abstractOf.get(numId) ?? '';
    const levels = this.#lists.get(abstract);
    const level = levels?.get(depth);
    if (!levels || !level || depth > 8) return '';
    const counters = this.#counters.get(abstract) ?? [];
    counters[depth] = (counters[depth] ?? level.start - 1) + 1;
    counters.length = depth + 1;
    this.#counters.set(abstract, counters);
    if (level.format === 'bullet' || level.format === 'none') return '';
    return level.text.replace(/%(\d)/g, (_all, digit: string) => {
      const other = Number(digit) - 1;
      return formatNumber(counters[other] ?? levels.get(other)?.start ?? 1, levels.get(other)?.format);
    });
  }
}

function levelsOf(list: XmlElement): Map<number, Level> {
  return new Map(
    elementsOf(list, 'lvl').map((level) => [
      Number(attribute(level, 'ilvl') ?? 0),
      {
        format: attribute(descend(level, 'numFmt'), 'val') ?? 'decimal',
        text: attribute(descend(level, 'lvlText'), 'val') ?? '',
        start: Number(attribute(descend(level, 'start'), 'val') ?? 1),
      },
    ]),
  );
}

function levelByName({ name }: Style): number | undefined {
  if (/^title$/i.test(name)) return 1;
  const digit = /^heading (\d)/i.exec(name)?.[1];
  return digit === undefined ? undefined : Number(digit);
}

function formatNumber(number: number, format: string | undefined): string {
  switch (format) {
    case 'lowerLetter':
      return letters(number).toLowerCase();
    case 'upperLetter':
      return letters(number);
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'upperRoman':
      return roman(number);
    case 'decimalZero':
      return String(number).padStart(2, '0');
    default:
      return String(number);
  }
}

/** 1 → A, 27 → AA, 28 → BB, as Word counts. */
function letters(number: number): string {
  if (number < 1 || number > 780) return String(number);
  return String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);
}

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  const signs: [number, string][] = [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ];
  let rest = number;
  let text = '';
  for (const [value, sign] of signs) for (; rest >= value; rest -= value) text += sign;
  return text;
}

function first<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
