import { analyze } from '#server/lib/analyze.ts';
import type { ReadText } from './facts/facts.ts';
import { isTelling } from './facts/language.ts';
import { negationsIn } from './negation.ts';

/** What must be done, and what may be done or left. */
const must =
  /(?<!\p{L})(?<!(?:not|nicht|pas|no) )(?:must|shall|mandatory|obligat\p{L}*|compulsory|ha(?:s|ve) to|muss|müssen|musst|zwingend|doit|doivent|debe|deben|hay que|tienen? que)(?!\p{L})/iu;
/** The same, where it may be said in other words. */
const needed =
  /(?<!\p{L})(?<!(?:not|nicht|pas|no) )(?:requir\p{L}*|needs? to|need|necessary|ensure|verpflicht\p{L}*|vorgeschrieben|erforderlich|faut|oblig\p{L}*)(?!\p{L})/iu;
const may =
  /(?<!\p{L})(?:may|might|can|could|optional\p{L}*|voluntar\p{L}*|encourag\p{L}*|recommend\p{L}*|kann|können|darf|dürfen|freiwillig\p{L}*|peut|peuvent|facultati\p{L}*|puede|pueden|opcional\p{L}*)(?!\p{L})/iu;
const optional =
  /(?<!\p{L})(?:optional\p{L}*|voluntar\p{L}*|freiwillig\p{L}*|facultati\p{L}*|opcional\p{L}*|not (?:required|mandatory|necessary)|need not|nicht (?:nötig|erforderlich|zwingend))(?!\p{L})/iu;
/** What is said of all of them, and of some. */
const all =
  /(?<!\p{L})(?<!(?:of|at|after|above|in|von|de|parmi|entre) )(?:all|every|each|alle[rn]?|jede[rnms]?|sämtliche\p{L}*|tous|toutes|chaque|todos|todas|cada)(?!\p{L})/iu;
const whole =
  /(?<!\p{L})(?:all|every\p{L}*|each|any\p{L}*|both|whole|entire\p{L}*|always|100|no|none|alle\p{L}*|jede\p{L}*|sämtliche\p{L}*|ganz\p{L}*|tous|toute?s?|tout|chaque|ensemble|tod[oa]s?|cada|cualquier\p{L}*)(?!\p{L})/iu;
const some =
  /(?<!\p{L})(?:some|many|most|several|few|part of|of them|majority|minority|certain|percent|only|nur|lediglich|seulement|uniquement|solo|solamente|einige\p{L}*|manche\p{L}*|viele|meisten|mehrheit|prozent|certaine?s|plupart|quelques|algun[oa]s|much[oa]s|mayoría)(?!\p{L})|%/iu;

/** Beginnings that turn a word into its opposite, with the letters that must be left of it. */
const prefixes = [
  ['un', 4],
  ['non-', 4],
  ['in', 6],
  ['im', 7],
  ['il', 7],
  ['ir', 7],
  ['dis', 7],
] as const;

/**
 * Whether a claim says of something that it must be what a sentence says may be, of all what it says of some, or that
 * it is useless where the sentence calls it useful.
 */
export function isTurned(claim: ReadText, sources: readonly ReadText[]): boolean {
  const texts = sources.map(({ plain }) => plain);
  const isSaid = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (must.test(claim.plain) && !optional.test(claim.plain) && isSaid(may) && !isSaid(must) && !isSaid(needed))
    return true;
  if (optional.test(claim.plain) && (isSaid(must) || isSaid(needed)) && !isSaid(optional)) return true;
  const isOfAll = sources.some(({ tokens }) => tokens.some(({ text }) => whole.test(text)));
  if (all.test(claim.plain) && !isOfAll && sources.some(({ tokens }) => tokens.some(({ text }) => some.test(text))))
    return true;
  return countsOtherwise(claim, sources) || hasOppositeForm(claim, sources);
}

/** Words before what is counted by them: "all states", "many states". */
const ofAll = /^(?:all|every|each|alle|allen|aller|jede[rnms]?|tous|toutes|chaque|todos|todas|cada|any)$/;
const ofSome =
  /^(?:some|many|most|several|few|certain|einige[nr]?|manche[nr]?|viele[nr]?|meisten|mehrere[nr]?|plusieurs|certaine?s|quelques|algun[oa]s|much[oa]s|vari[oa]s)$/;
const always = /^(?:always|never|immer|stets|nie|niemals|toujours|jamais|siempre|nunca)$/;
const often =
  /^(?:often|usually|sometimes|generally|typically|mostly|occasionally|rarely|oft|meistens?|manchmal|gewohnlich|ublicherweise|selten|souvent|parfois|generalement|rarement|menudo|veces|generalmente|normalmente)$/;

/** "In all states" for "in many states", or "always" for "often": other words of the sentence may say "all", too. */
function countsOtherwise(claim: ReadText, sources: readonly ReadText[]): boolean {
  const counted = (text: ReadText, pattern: RegExp) =>
    text.tokens.flatMap(({ folded }, i) => {
      const next = text.tokens.slice(i + 1, i + 3).filter(isTelling);
      return pattern.test(folded) ? next.flatMap((token) => analyze(token.text)) : [];
    });
  const all = counted(claim, ofAll);
  const said = new Set(sources.flatMap((source) => counted(source, ofAll)));
  const some = new Set(sources.flatMap((source) => counted(source, ofSome)));
  const has = (text: ReadText, pattern: RegExp) => text.tokens.some(({ folded }) => pattern.test(folded));
  return (
    all.some((term) => some.has(term) && !said.has(term)) ||
    (has(claim, always) && !sources.some((each) => has(each, always)) && sources.some((each) => has(each, often)))
  );
}

function hasOppositeForm({ tokens, plain }: ReadText, sources: readonly ReadText[]): boolean {
  const own = tokens.filter(isTelling).map(({ folded }) => folded);
  const there = new Set(sources.flatMap((source) => source.tokens.filter(isTelling).map(({ folded }) => folded)));
  const denials = sources.reduce((sum, source) => sum + negationsIn(source.plain).length, 0);
  if (denials !== negationsIn(plain).length) return false;
  return own.some((word) => !there.has(word) && [...there].some((other) => areOpposite(word, other)));
}

/** "Useful" and "useless", "qualified" and "unqualified". */
function areOpposite(one: string, other: string): boolean {
  if (one.endsWith('less') || other.endsWith('less')) {
    const [without, full] = one.endsWith('less') ? [one, other] : [other, one];
    return full === `${without.slice(0, -'less'.length)}ful`;
  }
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return prefixes.some(([prefix, left]) => {
    if (!long.startsWith(prefix) || short.length < left) return false;
    const rest = analyze(long.slice(prefix.length));
    return analyze(short).some((term) => rest.includes(term));
  });
}
