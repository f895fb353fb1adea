import { analyze } from '#server/lib/analyze.ts';

/** Of a question that asks what a word means: the word, and how a text explains it. */
export interface AskedDefinition {
  /** As it is asked for, without an article and quotation marks. */
  term: string;
  /**
   * How surely a sentence, an item or a row of a table explains the term: 1, a half where it only gives it its name in
   * brackets, or 0.
   * @param cells those of a row
   */
  defines(text: string, cells?: readonly string[]): number;
}

const article =
  '(?:(?:the (?:term|word|expression|abbreviation|acronym)|an?|the|der begriff|einer?|einem|eine[mnrs]?|ein|der|die|das|dem|den|le terme|une?|les?|la|el término|una?|las?|los|el|un[oa]?|il|lo|gli|i) )?';
const words = '(?<term>[^?,;:()]{1,80}?)';
/** Where it is asked for. */
const where =
  '(?: (?:in|under|within|according to|as used in|laut|gemäß|nach|dans|selon|en|según|secondo|nel|nella) .{1,120})?';
const before =
  '^(?:(?:in|under|according to|laut|gemäß|in der|im|dans|selon|en|según|secondo) [^,]{1,80}, )?(?:please )?';

/** The ways to ask for it that say so, */
const open = [
  `define ${article}${words}${where}`,
  `(?:(?:what is|what's|give|was ist|quelle est|cuál es|qual è) )?(?:the |die |la )?(?:definition|meaning|bedeutung|définition|signification|definición|significado|definizione|significato) (?:of|von|des|der|de|del|di|dell['’]) ?${article}${words}${where}`,
  `what (?:does|do|did) ${article}${words} (?:mean|stand for|refer to)${where}`,
  `what (?:is|are|was|were) (?:meant|understood) by ${article}${words}${where}`,
  `what (?:counts|qualifies|count|qualify) as ${article}${words}${where}`,
  `how (?:does|do|did) .{1,60}? define ${article}${words}${where}`,
  `how (?:is|are|was|were) ${article}${words} defined${where}`,
  `was (?:bedeutet|bedeuten|bezeichnet|heißt) ${article}${words}${where}`,
  `was versteht (?:man|.{1,40}) unter ${article}${words}${where}`,
  `was ist mit ${article}${words} gemeint${where}`,
  `que (?:signifie|veut dire) ${article}${words}${where}`,
  `qué significa ${article}${words}${where}`,
  `(?:che )?cosa significa ${article}${words}${where}`,
];
/** and those that may ask for anything, so that it is a term only where it has few words and none of these. */
const plain = [
  `what (?:is|are) (?:an? )?${words}${where}`,
  `was (?:ist|sind) (?:eine? )?${words}${where}`,
  `qu['’]est-ce qu(?:e |['’])(?:une? )?${words}${where}`,
  `qué (?:es|son) (?:una? )?${words}${where}`,
  `(?:che )?cos(?:a |['’])(?:è|sono) (?:un[oa]? |un['’])?${words}${where}`,
];
const noTerm =
  /(?<!\p{L})(?:the|of|in|for|to|by|on|at|with|from|as|that|which|and|or|if|this|these|those|our|my|your|its|his|her|their|it|there|required|needed|allowed|der|die|das|des|dem|den|von|für|mit|im|unser\p{L}*|mein\p{L}*|le|la|les|du|des|de|pour|el|los|las|del|para|il|lo|gli|del|della|per)(?!\p{L})/iu;
const maxPlainWords = 4;
const maxWords = 6;

const patterns = [
  ...open.map((each) => ({ each, isPlain: false })),
  ...plain.map((each) => ({ each, isPlain: true })),
].map(({ each, isPlain }) => ({ pattern: new RegExp(`${before}${each}$`, 'iu'), isPlain }));
const quotes = '["“”„‘’\'«»]';
const says =
  '(?:(?:is|are|was|were)(?! (?:used|required|needed|not|also|only|often|always|available|kept|read|made|done|given|being|subject|limited|implemented|conducted|responsible|due|welcome|to|in|on|at|for|by)(?!\\p{L}))|means?|(?:shall|will) mean|(?:has|have) the meaning|refers? to|(?:stands?|standing) for|denotes?|describes?|designates?|(?:is|are) (?:defined|understood) as|ist|sind|bedeutet|bedeuten|bezeichnet|meint|meinen|umfasst|steht für|est|sont|signifie|désigne|es|son|significa|designa|se refiere a|è|sono|indica)';
/** At least two of its letters are capitals. */
const abbreviation = /^(?=\P{Lu}*\p{Lu}\P{Lu}*\p{Lu})[\p{L}\d&]{2,8}$/u;
const maxCompared = 400;

/** What says in such a question that it is one, and nothing of what is asked. */
const asking = new Set(
  analyze(
    'define defines defined definition definitions mean means meaning meant stand stands refer refers count counts qualify qualifies understood term bedeutet bedeuten bedeutung bezeichnet versteht gemeint signifie définition significa definición significado definizione significato',
  ),
);

/** The terms of such a question that only say that a word is to be explained. */
export function termsOfAsking({ term }: AskedDefinition): ReadonlySet<string> {
  return asking.difference(new Set(analyze(term)));
}

/** @returns null where a question asks for something else, or names no short term */
export function askedDefinition(question: string): AskedDefinition | null {
  const text = question
    .slice(0, maxCompared)
    .replace(/\s+/g, ' ')
    .replace(/^[\s¿¡]+|[\s?.!]+$/gu, '')
    .trim();
  for (const { pattern, isPlain } of patterns) {
    const found = pattern.exec(text)?.groups?.term?.replaceAll(new RegExp(quotes, 'gu'), '').trim();
    if (found === undefined || !/\p{L}/u.test(found)) continue;
    const count = found.split(' ').length;
    if (count > (isPlain ? maxPlainWords : maxWords) || (isPlain && noTerm.test(found))) continue;
    return { term: found, defines: definesTerm(found) };
  }
  return null;
}

function definesTerm(term: string): AskedDefinition['defines'] {
  const parts = term.split(/[\s-]+/).map((each) => RegExp.escape(each));
  const last = parts.pop()?.replace(/(?<=\p{L}{3})s$/u, '') ?? '';
  const said = [...parts, `${last}(?:e?s)?`].join('[\\s-]+');
  const alone = new RegExp(`^${quotes}?${said}${quotes}?$`, 'iu');
  const inBrackets = '(?: ?[(\\[][^)\\]]{1,80}[)\\]]){0,2}';
  const opening = new RegExp(
    `^[\\s•●\\-–*]*(?:(?:\\(?\\d{1,3}(?:\\.\\d+)*[.)]?|\\(?[a-z][.)]) ?)?(?:(?:the (?:term|word|expression)|as used .{1,60}?,|an?|the|ein|eine|der|die|das|une?|les?|la|una?|el|los|las|il|lo|gli) )?${quotes}?${said}${quotes}?${inBrackets}(?: ?[:–—]| - |,? ${says}(?!\\p{L}))`,
    'iu',
  );
  const quoted = new RegExp(`${quotes}${said}${quotes}${inBrackets},? ${says}(?!\\p{L})`, 'iu');
  const named = new RegExp(`\\((?:[^()]{0,40} )?${quotes}${said}${quotes}\\)`, 'iu');
  const short = abbreviation.test(term) ? new RegExp(`(?<![\\p{L}\\d])${said}(?![\\p{L}\\d])`, 'gu') : null;
  return (text, cells) => {
    if (cells && cells.length > 1) {
      const [label = '', ...rest] = cells.filter((cell) => cell.trim() !== '');
      const bare = label.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ').trim();
      const bracketed = /\(([^)]{1,40})\)/.exec(label)?.[1] ?? '';
      const isLabel = alone.test(bare) || alone.test(bracketed.trim());
      return isLabel && /\p{L}{2,}\s+\p{L}{2,}/u.test(rest.join(' ')) ? 1 : 0;
    }
    if (opening.test(text) || quoted.test(text) || (short && spellsOut(text, short))) return 1;
    return named.test(text) ? 0.5 : 0;
  };
}

/** Words that an abbreviation may leave out. */
const left = new Set('of and for the in to on a an und der die das für von de la le et des du y e di'.split(' '));
/** Before an abbreviation in brackets its words stand within so many characters. */
const maxSpelled = 120;
/** Of a longer line only the beginning is looked through. */
const maxLine = 1000;

/** Whether an abbreviation stands in brackets behind the words that it is made of, or before them. */
function spellsOut(text: string, short: RegExp): boolean {
  for (const { index, 0: found } of text.slice(0, maxLine).matchAll(short)) {
    const initials = found
      .replace(/s$/u, '')
      .replace(/[^\p{L}\d]/gu, '')
      .toLowerCase();
    const behind = /^\s?\(([^()]{4,120})\)/u.exec(
      text.slice(index + found.length, index + found.length + maxSpelled),
    )?.[1];
    if (behind !== undefined && endsWithInitials(behind, initials)) return true;
    const isBracketed = text[index - 1] === '(' && text[index + found.length] === ')';
    if (isBracketed && endsWithInitials(text.slice(Math.max(0, index - maxSpelled), index - 1), initials)) return true;
  }
  return false;
}

function endsWithInitials(words: string, initials: string): boolean {
  const all = words.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const telling = all.filter((each) => !left.has(each)).map((each) => each[0] ?? '');
  return (
    telling.join('').endsWith(initials) ||
    all
      .map((each) => each[0] ?? '')
      .join('')
      .endsWith(initials)
  );
}
