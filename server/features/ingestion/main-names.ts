import { lazily } from '#server/lib/lazily.ts';

/** A passage of a document, as far as names in it are counted. */
interface Named {
  heading: string;
  body: string;
  language?: string | null | undefined;
}

/** Within a sentence: behind a word in small letters. */
const inSentence = /(?<=\p{Ll}[,;]? )\p{Lu}[\p{L}\p{M}\p{N}&-]+/gu;
const inHeading = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}&-]+/gu;
const inSmall = /(?<![\p{L}\p{N}])\p{Ll}{3,}/gu;

/** Passages that are counted, evenly from first to last: a long document names itself in any few of them. */
const maxCounted = 200;
/** A main name stands in so many of them, as a share; */
const minShare = 0.1;
/** or in the headings of so many; */
const minHeadings = 0.5;
/** in at least so many; */
const minCount = 3;
/** and as a word in small letters in at most so many for each of these. */
const maxSmall = 0.2;
const maxNames = 4;

/** Names of every report and contract. */
const usual = new Set(
  'company group board committee director directors inc ltd llc plc corporation act section states united note notes agreement party parties report annual financial table figure chapter part item page appendix article exhibit schedule contents'.split(
    ' ',
  ),
);

/**
 * The names that run through a document, the most frequent first: whose it is, and what it is about, where neither its
 * file's name nor its first page says so. Of German, where all nouns are written as names, none.
 */
export function mainNames(passages: readonly Named[]): string[] {
  const step = Math.max(1, passages.length / maxCounted);
  const names = new Map<string, Count>();
  const small = new Map<string, number>();
  let counted = 0;
  for (let i = 0; i < passages.length; i += step) {
    const passage = passages[Math.floor(i)];
    if (!passage || passage.language === 'de') continue;
    counted++;
    count(names, passage.body.match(inSentence), 'inSentences');
    count(names, passage.heading.match(inHeading), 'inHeadings');
    for (const word of new Set(passage.body.match(inSmall))) small.set(word, (small.get(word) ?? 0) + 1);
  }
  return [...names]
    .filter(([key, { inSentences, inHeadings }]) => {
      const all = Math.max(inSentences, inHeadings);
      if (all < minCount || (inSentences < minShare * counted && inHeadings < minHeadings * counted)) return false;
      return (small.get(key) ?? 0) <= maxSmall * all && key.length > 2 && !usual.has(key) && !months().has(key);
    })
    .sort(([, one], [, other]) => other.inSentences + other.inHeadings - one.inSentences - one.inHeadings)
    .slice(0, maxNames)
    .map(([, { written }]) => written);
}

interface Count {
  written: string;
  inSentences: number;
  inHeadings: number;
}

/** Counts each of them once. */
function count(names: Map<string, Count>, found: readonly string[] | null, where: 'inSentences' | 'inHeadings'): void {
  for (const [key, written] of new Map(found?.map((each) => [each.toLowerCase(), each]))) {
    const known = names.get(key) ?? { written, inSentences: 0, inHeadings: 0 };
    known[where]++;
    names.set(key, known);
  }
}

const months = lazily(
  () =>
    new Set(
      ['en', 'fr', 'es', 'it'].flatMap((language) =>
        Array.from({ length: 12 }, (_, month) =>
          new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
            .format(Date.UTC(2024, month, 15))
            .toLowerCase(),
        ),
      ),
    ),
);
