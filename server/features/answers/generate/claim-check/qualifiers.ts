import type { ReadText } from './facts/facts.ts';
import { measureOf } from './facts/measures.ts';
import { fold, type Token } from './facts/tokens.ts';

/**
 * Words that say how far, how often, since when or why something holds. They are small, so that a sentence without them
 * has nearly all words of one that has them, and says something else. Each line is one group: a claim that has one of
 * its phrases needs a sentence that has one, too, or one of those behind `<`. All languages that are known here, folded;
 * `*` stands for any ending.
 */
const table = `
because | due to | owing to | as a result of | thanks to | on account of | in response to | caused by | in light of | on the grounds | weil | wegen | aufgrund | auf grund | infolge | dank | angesichts | parce | en raison | a cause | grace a | grace au | grace aux | a la suite | suite a | porque | debido | a causa | gracias a | gracias al | ya que | a raiz de < since | as | therefore | thus | hence | so | reason* | cause* | result* | attribut* | driven | reflect* | lead* | led | so that | da | durch | daher | deshalb | deswegen | somit | grund* | damit | car | donc | puisque | raison* | cause* | motif* | por | pues | razon* | causa* | motivo*
for the first time | first time | first ever | erstmals | erstmalig* | zum ersten mal | pour la premiere fois | por primera vez < first
for the last time | last time | zum letzten mal | letztmals | pour la derniere fois | por ultima vez < last
again | once more | once again | erneut | abermals | de nouveau | a nouveau | otra vez | de nuevo | nuevamente < re-* | wieder* | repeat* | second
only | solely | exclusively | purely | merely | nur | ausschliesslich | lediglich | seulement | uniquement | exclusivement | solo | solamente | unicamente | exclusivamente < except* | unless | until | alone | sole | just | but | limited | otherwise | no other | not | erst | allein | sonst | ausser | bloss | ohne | kein* | nicht | sauf | ne | que | salvo | unico | unica
worldwide | globally | everywhere | internationally | nationwide | across the world | around the world | throughout | across | in every | in all | in any | at every | at all | for all | to all | weltweit | uberall | international | bundesweit | landesweit | in allen | in jedem | in jeder | an allen | fur alle | partout | dans le monde | dans tous | dans toutes | dans chaque | a tous les | pour tous | pour toutes | mundial* | en todo el mundo | en todos | en todas | en cada | para todos | para todas < world* | global* | all | every | each | any | whole | entire* | general* | alle* | jed* | ganz* | gesamt* | samtlich* | tous | toute* | tout | chaque | ensemble | todo* | toda* | cada | cualquier*
always | at all times | at any time | without exception | in all cases | immer | stets | jederzeit | ausnahmslos | ohne ausnahme | toujours | en tout temps | sans exception | siempre | en todo momento | sin excepcion < all | every | each | any | never | no | alle* | jed* | nie* | kein* | tous | tout* | chaque | jamais | todo* | toda* | cada | nunca
usually | generally | normally | typically | mostly | mainly | primarily | often | frequently | in most cases | as a rule | especially | particularly | in particular | largely | predominantly | ublicherweise | normalerweise | meist* | in der regel | haufig | oft | vor allem | vorwiegend | hauptsachlich | insbesondere | uberwiegend | habituellement | generalement | normalement | souvent | principalement | surtout | en general | notamment | en particulier | habitualmente | generalmente | normalmente | a menudo | principalmente | sobre todo | especialmente < general* | usual* | normal* | most | majority | regel* | gewohnlich* | mehrheit* | habituel* | majorit* | habitual* | mayor*
sometimes | occasionally | rarely | seldom | in exceptional cases | in some cases | manchmal | gelegentlich | selten | ausnahmsweise | in ausnahmefallen | in einzelfallen | parfois | rarement | exceptionnellement | dans certains cas | a veces | raramente | excepcionalmente | en algunos casos < exception* | some | may | can | ausnahm* | einzel* | kann | konnen | exception* | certain* | peut | peuvent | excepcion* | algun* | puede*
immediately | at once | without delay | straight away | promptly | instantly | right away | sofort | unverzuglich | umgehend | immediatement | sans delai | inmediatamente | de inmediato | sin demora < immediate* | instant* | prompt* | direct* | delay* | sofort* | immediat* | inmediat* | soon
voluntarily | at its own discretion | on request | upon request | freiwillig | auf wunsch | auf antrag | auf anfrage | volontairement | sur demande | voluntariamente | a peticion | previa solicitud < request* | ask* | appl* | voluntar* | discretion* | wunsch* | antrag* | anfrag* | beantrag* | demand* | volont* | petici* | solicit*
free of charge | at no cost | for free | at no charge | without charge | without extra cost | kostenlos | kostenfrei | unentgeltlich | gratuitement | sans frais | gratis | gratuitamente | sin coste | sin cargo < free | charge* | cost* | fee* | kosten* | gebuhr* | gratuit* | frais | cout* | gratuit* | coste*
including | inclusive | inkl | inklusive | einschliesslich | y compris | incluid* | incluso < includ* | inclus* | plus | with | contain* | mit | compris* | avec | con | contien*
according to | laut | gemass | zufolge | nach angaben | selon | segun | conforme a < accord* | state* | say* | said | report* | gemass | laut | nach | conform* | por
successfully | significantly | substantially | considerably | dramatically | sharply | slightly | steadily | erfolgreich | deutlich | erheblich | wesentlich | stark | leicht | avec succes | nettement | fortement | considerablement | legerement | con exito | significativamente | considerablemente | ligeramente < success* | signific* | substantial* | considerab* | sharp* | slight* | stead* | strong* | erfolg* | deutlich* | erheblich* | wesentlich* | succes | exito
`;

interface Phrase {
  words: string[];
  group: number;
}

/** One word at its end may stand for all that begin so. */
function phrasesOf(side: 0 | 1): Map<string, Phrase[]> {
  const all = table
    .trim()
    .split('\n')
    .flatMap((line, group) => {
      const parts = line.split(' < ');
      const phrases = side === 0 ? [parts[0] ?? ''] : parts;
      return phrases.flatMap((part) =>
        part.split('|').map((phrase): Phrase => ({ words: fold(phrase.trim()).split(' '), group })),
      );
    });
  return Map.groupBy(all, ({ words }) => startOf(words[0] ?? ''));
}

/** Letters by which phrases are looked up: a word in front may be written with any ending. */
const start = 2;
const startOf = (word: string) => word.slice(0, start);
const asked = phrasesOf(0);
const evident = phrasesOf(1);

/**
 * Whether a claim says how far, how often, since when or why something holds, and the sentences that it rests on do
 * not.
 */
export function addsQualifier(claim: ReadText, sources: readonly ReadText[]): boolean {
  const wanted = groupsIn(claim.tokens, asked);
  const there = new Set(wanted.size === 0 ? [] : sources.flatMap(({ tokens }) => [...groupsIn(tokens, evident)]));
  if (!wanted.isSubsetOf(there)) return true;
  const often = howOften(claim);
  if (often.length === 0) return false;
  const times = new Set(sources.flatMap(timesIn));
  return often.some((time) => !times.has(time));
}

/** The times that a text speaks of: of "12 months" the month and the year. */
function timesIn({ tokens, facts }: ReadText): (string | null)[] {
  return [
    ...tokens.map(({ folded }) => timeOf(folded)),
    ...facts.flatMap(({ quantity }) => (quantity ? quantity.values.map((value) => `${quantity.of} ${value}`) : [])),
  ];
}

/** Of what a number is for: "every quarter". */
const tokensEach = 2;
/** What something is repeated or bounded in: "every quarter", "jeden Tag", "within an hour", "annually". */
function howOften({ tokens, facts }: ReadText): string[] {
  // "Half an hour" is a time of its own.
  const isCounted = (i: number) =>
    facts.some(
      ({ quantity, start, end }) =>
        quantity && isTime(quantity.of) && i >= start && i < end - tokensEach * quantity.per.length,
    );
  return tokens.flatMap(({ folded }, i) => {
    const time = isCounted(i) ? null : timeOf(folded);
    return time !== null && (often.test(folded) || repeating.test(tokens[i - 1]?.folded ?? '')) ? [time] : [];
  });
}

/** Before a time these repeat or bound something; in it are times by themselves. */
const repeating = /^(?:a|an|every|each|per|jede[nmrs]?|pro|chaque|par|cada|por)$/;
const often =
  /(?:daily|weekly|monthly|quarterly|annually|yearly|nightly|taglich|wochentlich|monatlich|jahrlich|quotidien\w*|hebdomadaire\w*|mensuel\w*|annuel\w*|diariamente|semanalmente|mensualmente|anualmente)$/;

/** The time that a word means, apart from how many there are. */
function timeOf(folded: string): string | null {
  const measure = measureOf(folded) ?? measureOf(folded.replace(/(?:ement|mente)$/, ''));
  return measure && isTime(measure.of) ? `${measure.of} ${measure.base}` : null;
}

function groupsIn(tokens: readonly Token[], phrases: Map<string, Phrase[]>): Set<number> {
  const found = new Set<number>();
  for (const [at, { folded }] of tokens.entries()) {
    for (const { words, group } of phrases.get(startOf(folded)) ?? [])
      if (words.every((word, i) => isWord(word, tokens[at + i]?.folded ?? ''))) found.add(group);
  }
  return found;
}

function isWord(word: string, folded: string): boolean {
  return word.endsWith('*') ? folded.startsWith(word.slice(0, -1)) : folded === word;
}

function isTime(of: string): boolean {
  return of === 'time' || of === 'months';
}
