import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import type { Question } from '#server/features/retrieval/retrieval.ts';
import { analyze } from '#server/lib/analyze.ts';
import { isBare, isSame, type ReadText } from './facts/facts.ts';
import { isTelling, verbal } from './facts/language.ts';
import { type Token, wordSet } from './facts/tokens.ts';
import type { PreparedUnit } from './passage.ts';

/** Verbs and the like that say nothing by themselves. */
const light = wordSet(
  'must need needs needed require requires required have having make makes made making take takes taken taking put puts get gets got give gives given use uses used using apply applies applied carry carries cost costs amount amounts come comes go goes went begin begins starting beginning lasts lasting run runs stand stands remain remains allow allows allowed possible necessary available hold holds set sets provide provides provided receive receives belong belongs total value case cases kind number people person persons one ones thing things way each both either own same different every muss mussen musst brauch brauchen braucht benotigt benotigen notig gilt gelten betragt betragen kostet kosten erhalt erhalten bekommt bekommen liegt liegen macht machen gemacht steht stehen kommt kommen nimmt nehmen moglich notwendig erforderlich vorgesehen doit doivent faut peut coute coutent est sont fait faire font possible necessaire debe deben cuesta cuestan hay hace hacer tiene tienen posible necesario',
);
/** So many words of a sentence must be left for each new one. */
const minUnsaid = 1;
/** Behind these another statement begins. */
const ends = /^[.;:!?|\n]$/;
/** How most verbs end in English, and hardly an adjective. */
const verbEnding = /(?:s|ed|ing)$/;

/** What of a claim is said by the sentences that it rests on. */
export interface Rest {
  units: readonly PreparedUnit[];
  /** The claim's terms that stand there, and how much each counts. */
  there: ReadonlyMap<string, number>;
}

/** A word or number of a text in its order; the claim's terms or facts that it stands for. */
export interface Item {
  at: number;
  end: number;
  /** What of the other text stands for it. */
  same: ReadonlySet<string | object>;
  /** It can be said in other words: "a week" for 7 days. A number alone, as that of a footnote, can't. */
  isSayable: boolean;
  /** Counts up where another statement begins: behind a semicolon, a colon, a full stop. */
  statement: number;
}

/**
 * Whether a claim has words that stand nowhere where its others do, and in the place of none: beside what is said of
 * the sentence nothing of it is left that they could say in another way.
 */
export function addsRun(
  { tokens, facts }: ReadText,
  { units, there }: Rest,
  weights: Question['weights'],
  hits: Measures['hits'],
): boolean {
  const numbers = facts.filter(({ quantity }) => quantity !== null);
  const sources = units.map(({ read }) =>
    itemsOf(
      read,
      (word) => new Set(analyze(word).flatMap((term) => hits(term).map(([each]) => each))),
      (fact) => new Set(numbers.filter((own) => isSame(own, fact))),
    ),
  );
  const own = itemsOf(
    { tokens, facts },
    (word) => new Set(analyze(word).filter((term) => weights.has(term))),
    (fact) => new Set([fact]),
  ).filter(({ same }) => same.size > 0);
  const isNew = own.map(({ same }) => [...same].every((each) => typeof each === 'string' && !there.has(each)));

  /** How many words of a sentence are left unsaid right beside where it has this; null where none has it. */
  const unsaidBeside = ({ same }: Item): number | null => {
    let most: number | null = null;
    for (const source of sources) {
      for (const [j, item] of source.entries()) {
        if (item.same.isDisjointFrom(same)) continue;
        most = Math.max(most ?? 0, unsaidFrom(source, j, 1) + unsaidFrom(source, j, -1));
      }
    }
    return most;
  };
  const nearest = (among: readonly Item[]) => {
    for (const item of among) {
      const unsaid = unsaidBeside(item);
      if (unsaid !== null) return unsaid;
    }
    return null;
  };

  for (let i = 0; i < own.length; i++) {
    if (!isNew[i]) continue;
    let end = i + 1;
    while (end < own.length && isNew[end]) end++;
    const run = own.slice(i, end).filter((item, j) => !isLight(tokens, item, own[i + j - 1]));
    const beside = [
      nearest(
        own
          .slice(0, i)
          .toReversed()
          .filter((_, j) => !isNew[i - 1 - j]),
      ),
      nearest(own.slice(end).filter((_, j) => !isNew[end + j])),
    ].filter((unsaid) => unsaid !== null);
    if (run.length > 0 && beside.length > 0 && Math.max(...beside) < Math.ceil(run.length * minUnsaid)) return true;
    i = end;
  }
  return false;
}

function unsaidFrom(source: readonly Item[], at: number, step: 1 | -1): number {
  let count = 0;
  for (let i = at + step; ; i += step) {
    const item = source[i];
    if (!item?.isSayable || item.same.size > 0 || item.statement !== source[at]?.statement) return count;
    count++;
  }
}

export function isLight(tokens: readonly Token[], { at }: Item, before: Item | undefined): boolean {
  const [word, last] = [tokens[at]?.folded ?? '', tokens[at - 1]?.folded ?? ''];
  return light.has(word) || verbal.has(last) || (before?.end === at && verbEnding.test(word));
}

export function itemsOf(
  { tokens, facts }: Pick<ReadText, 'tokens' | 'facts'>,
  ofWord: (word: string) => ReadonlySet<string>,
  ofFact: (fact: ReadText['facts'][number]) => ReadonlySet<object>,
): Item[] {
  const items: Item[] = [];
  let statement = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token && ends.test(token.text)) statement++;
    const fact = facts.find(({ quantity, start }) => quantity && start === at);
    if (fact) {
      items.push({
        at,
        end: fact.end,
        same: ofFact(fact),
        isSayable: fact.quantity !== null && !isBare(fact.quantity),
        statement,
      });
      at = fact.end - 1;
    } else if (token && isTelling(token))
      items.push({ at, end: at + 1, same: ofWord(token.text), isSayable: true, statement });
  }
  return items;
}
