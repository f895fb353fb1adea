/**
 * How text becomes the terms that are searched: the same for documents and questions, in every language, so that no
 * engine's own idea of words stands in between.
 */

/** Scripts written without spaces: their words are found as overlapping pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}ー]+/gu;
/** A word, or a code such as `INV-2024/0031`, `v3.14`, `C++`, `a.b@c.org`, `don't`. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-./_'’:@&+#][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*[+#]*/gu;
const joint = /[-./_'’:@&+#]+/;
/** Accents of Latin, Greek and Cyrillic, and the vowel marks of Arabic and Hebrew, which people leave out. */
const droppedMarks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0652\u0670]/gu;

/** A term with the place in the text that it came from. */
export interface Term {
  term: string;
  start: number;
  end: number;
}

/** The terms of a text, in order. A code gives itself and its parts. */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const [token] of text.normalize('NFKC').matchAll(word)) {
    if (unspaced.test(token)) {
      for (const term of pairs(token)) terms.push(term);
      continue;
    }
    const folded = fold(token);
    const parts = folded.split(joint).filter((part) => part !== '');
    if (parts.length === 1 && parts[0] === folded) {
      terms.push(stem(folded));
      continue;
    }
    terms.push(folded);
    if (parts.length > 1) for (const part of parts) terms.push(stem(part));
    else if (parts[0] !== undefined) terms.push(stem(parts[0]));
  }
  return terms;
}

/** Words that carry no meaning of their own in a question, as terms. */
export function isStopTerm(term: string): boolean {
  return stopTerms.has(term);
}

function fold(token: string): string {
  return token
    .toLowerCase()
    .normalize('NFD')
    .replace(droppedMarks, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'");
}

function* pairs(token: string): Generator<string> {
  let rest = token;
  for (const [run] of token.matchAll(unspacedRun)) {
    const characters = [...run];
    if (characters.length === 1) yield run;
    for (let i = 0; i + 1 < characters.length; i++) yield `${characters[i]}${characters[i + 1]}`;
    rest = rest.replace(run, ' ');
  }
  // Latin words and numbers between them.
  for (const part of rest.split(/\s+/)) if (part !== '') yield stem(fold(part));
}

/**
 * A light stemmer for the endings that English, German and the Romance languages share. It need not be right, only the
 * same for a word's forms: over-long stems lose matches, over-short ones mix words, and the latter is worse.
 */
function stem(token: string): string {
  if (token.length < 4 || !/^[a-z]+$/.test(token)) return token;
  let form = token.endsWith("'s") ? token.slice(0, -2) : token;
  if (form.endsWith('ies') && form.length > 4) form = `${form.slice(0, -3)}y`;
  else if (form.endsWith('sses')) form = form.slice(0, -2);
  else if (form.endsWith('s') && !/(ss|us|is)$/.test(form)) form = form.slice(0, -1);
  const verb = /^(.*[aeiouy].*?)(ing|ed)$/.exec(form);
  if (verb?.[1] !== undefined && verb[1].length >= 3) form = verb[1].replace(/([bdfglmnprt])\1$/, '$1');
  if (form.length > 4) form = form.replace(/(en|em|e)$/, '');
  return form.endsWith('y') && form.length > 3 ? `${form.slice(0, -1)}i` : form;
}

const stopWords = `
a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its may me my
no not of on or our shall she should so some such than that the their them then there these they this those to under up us was we
were what when where which while who whom whose why will with would you your about after also any before each get give tell much many
der die das den dem des ein eine einer einem einen eines und oder aber ist sind war waren wird werden wurde wie was wer wo wann warum
welche welcher welches auf aus bei bis fur im in mit nach nicht noch nur ob ohne seit sich sie es er ich wir ihr uber um unter vom von
vor zu zum zur als am an auch dass kann konnen man mein muss sein
le la les un une des du de et ou est sont que qui quoi dans en sur pour par avec ne pas ce cette ces il elle nous vous
el los las una unos y o es son del al con por para como donde cuando cual
il lo gli uno della dei e di da che non per con come quando
`;
const stopTerms = new Set(
  stopWords
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((each) => analyze(each)),
);
