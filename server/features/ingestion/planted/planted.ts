import type { PlantedKind } from '#contract/calls/documents.ts';
import { createPause } from '#server/lib/pause.ts';
import { denial, type Pattern, patterns } from './patterns.ts';

/** Text of a document that gives orders to a language model. */
export interface Planted {
  /** Its clearest sign. */
  kind: PlantedKind;
  /** Places in the list of texts that was given, both inclusive. */
  first: number;
  last: number;
  /** Words of the document, 200 characters at most. */
  excerpt: string;
}

/** UTF-16 code units that are looked at together. */
const windowLength = 4000;
/** What begins in the last part of a window is looked at in the next one, with as much before it as decides on it. */
const overlap = 800;
const lead = 200;
/** Signs further apart than this say nothing together. */
const reach = 300;
const minWeight = 3;
const excerptLength = 200;
/** A document is flagged by the first ones; thousands would only be stored. */
const maxFindings = 50;
/**
 * Of one text. Nobody's paragraph is longer, and orders at the end of one that is are found at question time in its
 * chunk.
 */
const maxText = 200_000;

interface Sign {
  pattern: Pattern;
  start: number;
  end: number;
}

/**
 * Finds what is written for a language model: orders to ignore its rules, to reveal them, to word every answer so, to
 * ask readers for secrets. Signs are counted, so that what a text for people may say by chance is not enough. It sees
 * through letters that nobody sees, letters of other scripts that look alike, and spaced letters; it can't know every
 * wording.
 *
 * @param texts blocks of one document in their order; an order may go over several
 * @returns in their order, 50 at most
 */
export async function findPlanted(texts: readonly string[]): Promise<Planted[]> {
  const pause = createPause();
  const found: Planted[] = [];
  let joined = '';
  /** Where in what is joined each text begins. */
  let starts: { at: number; place: number }[] = [];
  /** Up to here the window was looked at before. */
  let known = 0;

  for (const [place, text] of texts.entries()) {
    starts.push({ at: joined.length, place });
    for (let at = 0; at < Math.min(text.length, maxText); at += windowLength) {
      joined += plainForm(text.slice(at, at + windowLength));
      await lookAtAll(false);
    }
    joined += '\n';
    if (found.length >= maxFindings) return found.slice(0, maxFindings);
  }
  await lookAtAll(true);
  return found.slice(0, maxFindings);

  async function lookAtAll(isEnd: boolean): Promise<void> {
    while (joined.length > windowLength) {
      await look(joined.slice(0, windowLength), windowLength - overlap);
      const gone = windowLength - overlap - lead;
      joined = joined.slice(gone);
      known = lead;
      const passed = starts.findLastIndex(({ at }) => at <= gone);
      starts = starts.slice(Math.max(0, passed)).map(({ at, place }) => ({ place, at: at - gone }));
    }
    if (isEnd) await look(joined, joined.length);
  }

  async function look(window: string, until: number): Promise<void> {
    for (const run of runsOf(await signsIn(window, pause))) {
      const from = run[0]?.start ?? 0;
      if (from >= known && from < until) note(run, window, from);
    }
  }

  function note(run: Sign[], window: string, from: number): void {
    const to = Math.max(...run.map(({ end }) => end));
    const [first, last] = [placeAt(from), placeAt(to - 1)];
    const before = found.at(-1);
    if (before && before.last >= first) {
      before.last = Math.max(before.last, last);
      return;
    }
    const clearest = run.toSorted((one, other) => other.pattern.weight - one.pattern.weight)[0];
    const excerpt = shortened(window.slice(from), texts[first] ?? '');
    if (clearest) found.push({ kind: clearest.pattern.kind, first, last, excerpt });
  }

  function placeAt(offset: number): number {
    return starts.findLast(({ at }) => at <= offset)?.place ?? 0;
  }
}

/** All patterns of a weight, and one expression that is found where one of them may be. */
const suspicions = ([3, 2, 1] as const).map((weight) => {
  const alike = patterns.filter((pattern) => pattern.weight === weight);
  return { alike, any: new RegExp(alike.map(({ anywhere }) => `(?:${anywhere.source})`).join('|'), 'iu') };
});

/**
 * From this length on V8 compiles an expression at once (`kTierUpForSubjectLengthValue`). For what is shorter it first
 * makes code for its interpreter, which for expressions of this size takes several times as long.
 */
const compiledFrom = 1000;

/**
 * The patterns that a text may have; none where they are not enough together. Most texts have nothing of all this,
 * which is found out at a fraction of the cost by one expression without what has to stand before each of them.
 */
async function suspected(text: string, pause: () => Promise<void> | undefined): Promise<Pattern[]> {
  // To every pattern a full stop is what the end of the text is.
  const window = text.padEnd(compiledFrom, '.');
  const found: Pattern[] = [];
  let weight = 0;
  for (const { alike, any } of suspicions) {
    await pause();
    if (!any.test(window)) continue;
    for (const pattern of alike) {
      if (pattern.anywhere.test(window)) {
        found.push(pattern);
        weight += pattern.weight;
      }
      await pause();
    }
  }
  return weight < minWeight ? [] : found;
}

async function signsIn(window: string, pause: () => Promise<void> | undefined): Promise<Sign[]> {
  const signs: Sign[] = [];
  for (const pattern of await suspected(window, pause)) {
    for (const match of window.matchAll(pattern.expression)) {
      const { index: start } = match;
      if (!pattern.deniable || !denial.test(sentenceBefore(window, start)))
        signs.push({ pattern, start, end: start + match[0].length });
    }
    await pause();
  }
  return signs.sort((one, other) => one.start - other.start);
}

/** What stands in the sentence before a place, as far as it matters. */
function sentenceBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 120), at);
  return before.slice(before.search(/[^.!?:;\n]*$/));
}

/** Signs near each other that are enough together; several of one pattern are one. */
function runsOf(signs: Sign[]): Sign[][] {
  const runs: Sign[][] = [];
  for (const [i, sign] of signs.entries()) {
    const near = [sign];
    for (let next = i + 1; next < signs.length; next++) {
      const other = signs[next];
      if (!other || other.start - sign.end > reach) break;
      near.push(other);
    }
    const kinds = new Map(near.map((each) => [each.pattern, each.pattern.weight]));
    if ([...kinds.values()].reduce((sum, weight) => sum + weight, 0) < minWeight) continue;
    runs.push(sign.pattern.weight >= minWeight ? [sign] : near);
  }
  return runs;
}

/** Letters of other scripts that look like these. */
const alike: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  һ: 'h',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Х: 'X',
  І: 'I',
  Ѕ: 'S',
  α: 'a',
  ο: 'o',
  ν: 'v',
  ι: 'i',
  ρ: 'p',
  Α: 'A',
  Β: 'B',
  Ε: 'E',
  Η: 'H',
  Ι: 'I',
  Κ: 'K',
  Μ: 'M',
  Ν: 'N',
  Ο: 'O',
  Ρ: 'P',
  Τ: 'T',
};
const lookalike = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu');
const mixed = /[a-z][а-яѐ-ӿͰ-Ͽ]|[а-яѐ-ӿͰ-Ͽ][a-z]/iu;

/** One form for all that looks the same: compatibility forms, what nobody sees, blanks, spaced letters. */
function plainForm(text: string): string {
  const seen = text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('’', "'");
  const together = seen.replaceAll(/(?<!\p{L})\p{L}(?: \p{L}){4,40}(?!\p{L})/gu, (spaced) =>
    spaced.replaceAll(' ', ''),
  );
  const one = together.replaceAll(/[^\S\n]+/g, ' ');
  return mixed.test(one) ? one.replaceAll(lookalike, (letter) => alike[letter] ?? letter) : one;
}

/** The words of the document where they are short, else those that were looked at. */
function shortened(words: string, text: string): string {
  const said = (text.length <= excerptLength ? text : words).replaceAll(/\s+/g, ' ').trim();
  return said.length <= excerptLength
    ? said
    : `${said
        .slice(0, excerptLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
