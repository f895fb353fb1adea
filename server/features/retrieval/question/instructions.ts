import { questionTerms } from '#server/lib/analyze.ts';
import { asksNothing } from './answer-type.ts';

/**
 * Questions come with words that ask nothing of the documents: a role to be played, a form for the answer, a unit, the
 * statement to look at. Searched for, they are rare words that no passage has, and weigh most.
 */

/** Sentences and clauses that only say how to answer. */
const instructing =
  /^(?:(?:and|then|also|please|kindly|now|bitte)[,\s]+)*(?:(?:you are|you're|act as|acting as|pretend|imagine(?: that)? you|assum(?:e|ing)(?: that)? (?:you|that you|the role)|suppose you|as an? (?:expert|experienced|seasoned|professional|helpful|senior|financial analyst|equity analyst|public equities analyst)\b)|answer (?:the|this|my|these) (?:\p{L}{1,20} ){0,3}?questions?\b|(?:answer|respond|reply|write|state|express|report|give|provide|present|return|format|round|calculate your answer|convert)\b.{0,60}?\b(?:answer|response|reply|result|in (?:usd|us\$|eur|gbp|dollars?|euros?|millions?|billions?|thousands?|percent|percentage|units?|one|a single|full|short|brief|plain|bullet|english|german|french|spanish)|to (?:one|two|three|\d) decimal|decimals?|concise|brief|short|sentence|words?)|(?:be|keep it) (?:brief|concise|short|precise|specific)|(?:use|using|cite|quote|rely|relying|base)\b.{0,40}\b(?:only|sources?|citations?|documents? (?:provided|given|above)|context)|do not (?:guess|make up|invent|use)|don't (?:guess|make up|invent|use)|if you (?:do not|don't|cannot|can't)|think (?:step|carefully)|explain your (?:reasoning|answer)|let's think|du bist|antworte\b|beantworte\b|stell dir vor|tu es\b|réponds?\b|répondez\b|eres un\b|responde\b)/iu;
/** What may stand before the question itself: "Answer the following question by using the balance sheet: ...". */
const leading = /^[^:?]{1,300}:\s/u;
/** A role alone: "As an experienced accountant, what was ...". */
const role =
  /^as an? (?:\p{L}+[ -]){0,4}(?:accountant|analyst|expert|lawyer|assistant|auditor|consultant|advis[eo]r|manager),\s/iu;
const money = '(?:usd|us\\$|eur|gbp|chf|inr|dollars?|euros?|pounds?|[$€£])';
const scales = '(?:millions?|billions?|thousands?|mio|mrd|mn|bn)';
const decimals = '(?:one|two|three|four|\\d) decimals?(?: places?)?';
/** Behind it: "in USD millions", "(in thousands)", "rounded to two decimals". */
const unitOfAnswer = new RegExp(
  `[ ,;–-]{0,3}\\(?(?<![\\p{L}\\p{N}])(?:(?<=[.?!,;(–-] ?)(?:all )?(?:figures?|amounts?|values?|numbers?|results?)(?: (?:is|are|should be|given))? )?(?:(?:answer|expressed|stated|given|reported|rounded) )?(?:in|to) (?:(?:us|u\\.s\\.) )?(?:${money} ?)?(?:(?:${scales}|${decimals}|the nearest \\p{L}{1,20})(?: of (?:us )?(?:dollars?|euros?|pounds?|usd|eur|gbp))?|(?:usd|us\\$|us dollars)(?=[ )?.]{0,3}$))(?![\\p{L}\\p{N}])\\)?`,
  'giu',
);
/** The same without "in": "(USD millions)", ", $ thousands", "Dollars in millions.", also with "please" behind it. */
const unitAlone = new RegExp(
  `(?:(?<=[?.!] )|[,;–-] ?| ?\\()(?:us )?${money} ?(?:in )?${scales}(?:,? (?:please|only|(?:(?:rounded )?to )?${decimals}))*(?:\\)|(?=[ .?!]{0,3}$))`,
  'giu',
);
/** Of money, as it is written out in English. */
const scale = /millions|billions|thousands/iu;
/** Languages in which "how much?" would change what a question is written in. */
const others: ReadonlySet<string | null> = new Set(['de', 'fr', 'es', 'it']);
/** A part of a report that most reports have. "The report of 2018" asks for that year. */
const statement =
  '(?:the |its |their )?(?:\\p{L}+ section of the )?(?:(?:consolidated )?(?:balance sheets?|(?:cash[ -]flow|income|profit and loss) statements?|p&l|statements? of (?:cash flows?|income|operations|earnings|financial position|financial performance)))';
const shownIn = '(?:according to|as (?:shown|reported|stated|given|disclosed|presented) (?:in|on|by))';
/**
 * Where to look it up, as a clause of its own: before the question, or behind all of it. Behind another verb ("excluded
 * from the balance sheet") it is what the question is about.
 */
const lookedUp = new RegExp(
  `^(?:${shownIn}|based on|per|using|looking at|from) ${statement},|(?:[,;–-] (?:(?:please )?(?:take|calculate|compute|read) it |taken )?(?:${shownIn}|based on|per|using|looking at|from)|(?<= )${shownIn}) ${statement}(?=[ .?!]{0,3}$|[.?!] )`,
  'giu',
);
/** "What does the policy say about flights": that it says something is no word of it. States and mentions may be. */
const says = ' (?:says?|said|stated|sagt|sagen|dit|disent|dice|dicen)';
const states = ' (?:state|mention)';
// What stands before the verb is looked for where there is one, or each letter would be looked at for it.
const saying = [
  new RegExp(
    `${says}(?= (?:about|on|regarding|concerning|zu[mr]?|über|sur|sobre)(?!\\p{L}))(?<=(?<!\\p{L})(?:what|was|que|qué|qu['’]est-ce que)(?!\\p{L}).{0,80}${says})`,
    'iu',
  ),
  new RegExp(
    `${states}(?= (?:about|regarding|concerning)(?!\\p{L}))(?<=(?<!\\p{L})what (?:do|does|did) .{1,80}${states})`,
    'iu',
  ),
  /(?<=^was) (?:sagt|sagen|steht)(?= .{1,80} (?:über|zu[mr]?)(?!\p{L}))/iu,
];
const sentenceEnd = /(?<=[.!?]) (?=[\p{L}"'“„(])/u;

export interface AskedText {
  /** What is asked of the documents; with "how much?" behind it where only a unit said that it is an amount. */
  asked: string;
  /** What was left out that may still name a place to look at ("the cash flow statement"); empty where nothing was. */
  instructions: string;
}

/** Parts a question from the instructions around it. Where there would be nothing left, all is asked, but for units. */
export function partInstructions(text: string): AskedText {
  const asked: string[] = [];
  const instructions: string[] = [];
  for (const line of text.split('\n')) {
    for (const sentence of line.replace(/\s+/gu, ' ').trim().split(sentenceEnd)) {
      const [before = ''] = leading.exec(sentence) ?? role.exec(sentence) ?? [];
      const leads = before !== '' && (instructing.test(before) || role.test(before));
      const rest = leads ? sentence.slice(before.length) : sentence;
      if (leads) instructions.push(before);
      (instructing.test(rest) && !/[?？]\s?$/u.test(rest) ? instructions : asked).push(rest);
    }
  }
  const said = saying.reduce((text, verb) => text.replace(verb, ''), asked.join(' '));
  for (const [place] of said.matchAll(lookedUp)) instructions.push(place);
  const question = withoutUnit(said.replace(lookedUp, ' '));
  if (!/[\p{L}\p{N}]{2}/u.test(question)) return { asked: inItsUnit(text, text), instructions: '' };
  return { asked: inItsUnit(question, text), instructions: tidy(instructions.join(' ').replace(unitOfAnswer, ' ')) };
}

/**
 * A question without the unit of its answer. Who says "millions" asks for an amount: where nothing else in the question
 * says so, "how much?" does.
 */
function inItsUnit(question: string, text: string): string {
  const bare = withoutUnit(question);
  if (!/[\p{L}\p{N}]{2}/u.test(bare)) return question;
  const units = [unitOfAnswer, unitAlone].flatMap((unit) => text.match(unit) ?? []);
  const isAmount =
    units.some((unit) => scale.test(unit)) && asksNothing(bare) && !others.has(questionTerms(bare).language);
  return isAmount ? `${bare.replace(/[?.]+$/u, '')}, how much?` : bare;
}

function withoutUnit(text: string): string {
  return tidy(text.replace(unitAlone, ' ').replace(unitOfAnswer, ' '));
}

/** Without what is left of signs around words that were taken out. */
function tidy(text: string): string {
  return text
    .replace(/ +(?=[ ?.,])/gu, '')
    .replace(/(?<=[?!])[.,;]+/gu, '')
    .replace(/^[ ,.;]+/u, '')
    .trim();
}
