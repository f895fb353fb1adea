import { markAmounts } from './amounts.ts';
import { markDates } from './dates.ts';
import { lazily } from './lazily.ts';
import { foldPeriods } from './periods.ts';
import { hasStemmer, stemIn, stemOfScript, stemTurkish } from './stems.ts';
import { asking, listedStopWords, stopWords } from './stop-words.ts';

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
/** In Japanese mostly an ending or a particle. */
const hiraganaPair = /^\p{Script=Hiragana}+$/u;
const joint = /[-./_:@&+#]+/;
const numericCode = /(?<![\p{L}\d])\d+(?:[.-]\d+)+/gu;
/** A number with its unit. */
const measured =
  /^(\d+)(kb|mb|gb|tb|mbit|gbit|mg|kg|km|cm|mm|ft|lbs?|oz|kw|mw|gw|kwh|mwh|mah|ah|hz|khz|mhz|ghz|ms|hrs?|min|sec|mn|bn|usd|eur|gbp|chf)$/;
const oneLetterFirst = /^[a-z]-[a-z]{3,30}$/;
const apostrophe = /['’]/;
/** Of `AT&T's` and `Coca-Cola's`. */
const possessive = /(?<=[-&]\p{L}{1,20})['’]s$/iu;
/** Accents of Latin, Greek and Cyrillic, and the vowel and hamza marks of Arabic and Hebrew, which people leave out. */
const droppedMarks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0655\u0670]/gu;

/** UTF-16 code units that are read of a word, a code or an address: nobody asks for what is longer. */
const maxTermLength = 200;

/**
 * The terms of a text, in order. A code gives itself and its parts. None is longer than `maxTermLength`.
 * @param language of the text (ISO 639-1), where it is known: its words are cut to the stems of that language. Where it
 * has no stemmer of its own, or none is given, they are cut by endings that many languages share.
 */
export function analyze(text: string, language: string | null = null): string[] {
  const terms: string[] = [];
  const stemmed = hasStemmer(language) ? language : null;
  for (const token of tokensOf(text)) {
    const own = termsOf(token, stemmed);
    for (const term of own) terms.push(term);
  }
  return terms;
}

/**
 * The terms that texts of other languages have for the words of a text, each with the term of a text whose language is
 * not known: a question is found in documents of all of them, whatever its own language is taken for.
 */
export function termsElsewhere(text: string, languages: readonly string[]): Map<string, string> {
  const elsewhere = new Map<string, string>();
  for (const token of tokensOf(text)) {
    const own = termsOf(token, null);
    for (const language of languages) {
      for (const [i, term] of termsOf(token, language).entries()) {
        const plain = own[i];
        if (plain !== undefined && plain !== term && !elsewhere.has(term)) elsewhere.set(term, plain);
      }
    }
  }
  return elsewhere;
}

function tokensOf(text: string): readonly string[] {
  return foldPeriods(markDates(markAmounts(text.normalize('NFKC')))).match(word) ?? [];
}

/** A question as the terms that are searched. */
export interface QuestionTerms {
  /**
   * Each once, without the words that every sentence of its language has. Where there are no others, all of them.
   */
  terms: string[];
  /** Guessed from these words; null where there are none. */
  language: keyof typeof stopWords | keyof typeof listedStopWords | null;
}

export function questionTerms(question: string): QuestionTerms {
  const all = withoutLetters([...new Set(analyze(withoutAsking(question)))]);
  let language: QuestionTerms['language'] = null;
  let stop: Set<string> | undefined;
  let most = 0;
  for (const [each, list] of stopTerms()) {
    // "War" and "die" are German stop words and English topics: only the list of the question's own language counts.
    const hits = all.reduce((sum, term) => sum + (list.has(term) ? 1 : 0), 0);
    if (hits > most) {
      most = hits;
      language = each;
      stop = list;
    }
  }
  const telling = all.filter((term) => !stop?.has(term) && !hiraganaPair.test(term));
  if (telling.length > 0) return { terms: telling, language };
  return { terms: all.length > 0 ? all : [...new Set(analyze(question))], language };
}

/** The parts of `r&d` tell nothing by themselves, and are rare. */
function withoutLetters(terms: string[]): string[] {
  const parts = new Set(terms.filter(isOfLetters).flatMap((term) => term.split('&')));
  return parts.size === 0 ? terms : terms.filter((term) => !parts.has(term));
}

/** Whether a term is an abbreviation of letters alone: `r&d`, `pp&e`. */
export function isOfLetters(term: string): boolean {
  return /^[a-z]{1,2}(?:&[a-z]{1,2})+$/.test(term);
}

/** Whether every sentence of a question's language has a term. */
export function isStopTerm(term: string, language: QuestionTerms['language']): boolean {
  return language !== null && stopTerms().get(language)?.has(term) === true;
}

/** Of prose, at least so many of its words are such as every sentence has. */
const minStopWords = 0.2;
/** Fewer words prove nothing. */
const minWords = 12;

/** The language of a text of some sentences; null where it is none that is known here, or hardly prose. */
export function languageOf(text: string): keyof typeof stopWords | 'ja' | 'zh' | null {
  const share = (script: RegExp) => (text.match(script)?.length ?? 0) / Math.max(1, text.length);
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1) return 'ja';
  if (share(/\p{Script=Han}/gu) > 0.3) return 'zh';
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < minWords) return null;
  const shares = languages.map((language) => {
    const list = plainStopWords()[language];
    return { language, share: words.filter((each) => list.has(each)).length / words.length };
  });
  const best = shares.reduce((one, other) => (other.share > one.share ? other : one));
  return best.share >= minStopWords ? best.language : null;
}

/** Takes out the asking words of languages without spaces: cut into pairs they could not be told from others. */
function withoutAsking(question: string): string {
  return unspaced.test(question) ? question.normalize('NFKC').replace(asking, ' ') : question;
}

/** Whether a text has words of a script without spaces. */
export function hasUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** Whether a term is the whole of something whose parts are terms too: `inv-2024/0031`, `cost-plus`, `c++`. */
export function isComposite(term: string): boolean {
  return joint.test(term);
}

/**
 * Texts say the same words over and over: cutting each word once makes analysing five times as fast. Emptied when full:
 * an LRU cache takes twice as long to look a word up.
 */
const known = new Map<string | null, Map<string, readonly string[]>>();
const maxKnown = 50_000;
const maxKnownLength = 32;

function termsOf(token: string, language: string | null): readonly string[] {
  const ofLanguage = known.get(language) ?? new Map<string, readonly string[]>();
  known.set(language, ofLanguage);
  const before = ofLanguage.get(token);
  if (before) return before;
  const terms = [...cut(token.replace(possessive, ''), language)];
  if (token.length <= maxKnownLength) {
    if (ofLanguage.size >= maxKnown) ofLanguage.clear();
    ofLanguage.set(token, terms);
  }
  return terms;
}

function* cut(token: string, language: string | null): Generator<string> {
  if (unspaced.test(token)) {
    yield* pairs(token);
    return;
  }
  const small = language === 'tr' ? token.toLocaleLowerCase('tr') : token.toLowerCase();
  const folded = fold(language === null ? stemTurkish(token) : small);
  const parts = (language === null ? folded : small).split(joint).filter((part) => part !== '');
  const measure = measured.exec(folded);
  if (measure) {
    // "8GB" is "8 GB".
    yield measure[1] ?? '';
    yield measure[2] ?? '';
    return;
  }
  if (joint.test(folded)) yield shortened(folded);
  // `e-mail` is `email`.
  if (oneLetterFirst.test(folded)) yield stem(folded.replace('-', ''));
  // `3.1.4` of `section-3.1.4`, `800-171` of `sp.800-171r2`.
  if (parts.length > 2) for (const [code] of folded.matchAll(numericCode)) if (code !== folded) yield shortened(code);
  for (const part of parts) yield* withoutElision(part, language);
}

/** `company's` is `company`, `l'article` is `article`: one letter beside an apostrophe is grammar. */
function* withoutElision(part: string, language: string | null): Generator<string> {
  if (!apostrophe.test(part)) {
    yield stemmed(part, language);
    return;
  }
  const pieces = part.split(apostrophe).filter((piece) => piece !== '');
  const long = pieces.filter((piece) => piece.length > 1);
  const all = long.length > 0 ? long : pieces;
  // What stands behind an apostrophe is a suffix there: `Ankara'da`.
  for (const piece of language === 'tr' ? all.slice(0, 1) : all) yield stemmed(piece, language);
}

function stemmed(word: string, language: string | null): string {
  if (language === null) return stem(shortened(word));
  return shortened(fold(stemIn(language, word) ?? stem(fold(word))));
}

function shortened(term: string): string {
  return term.length > maxTermLength ? term.slice(0, maxTermLength).toWellFormed() : term;
}

function fold(token: string): string {
  return token
    .toLowerCase()
    .normalize('NFD')
    .replaceAll('и\u0306', 'й')
    .replace(droppedMarks, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
}

function* pairs(token: string): Generator<string> {
  for (const [run] of token.matchAll(unspacedRun)) {
    const characters = [...run];
    if (characters.length === 1) yield run;
    for (let i = 0; i + 1 < characters.length; i++) yield `${characters[i]}${characters[i + 1]}`;
  }
  // Latin words and numbers between them.
  for (const part of token.replaceAll(unspacedRun, ' ').split(/\s+/))
    if (part !== '') yield stem(shortened(fold(part)));
}

/**
 * A light stemmer for the endings that English, German and the Romance languages share, for text whose language is not
 * known. It need not be right, only the same for a word's forms: over-long stems lose matches, over-short ones mix
 * words, and the latter is worse.
 */
function stem(token: string): string {
  if (token.length < 4) return token;
  if (!/^[a-z]+$/.test(token)) return stemOfScript(token);
  let form = token;
  if (form.endsWith('ies') && form.length > 4) form = `${form.slice(0, -3)}y`;
  else if (form.endsWith('sses')) form = form.slice(0, -2);
  else if (form.endsWith('s') && !/(ss|us|is)$/.test(form)) form = form.slice(0, -1);
  const verb = form.endsWith('ing') ? form.slice(0, -3) : form.endsWith('ed') ? form.slice(0, -2) : '';
  if (verb.length >= 3 && /[aeiouy]/.test(verb)) form = verb.replace(/([bdfglmnprt])\1$/, '$1');
  if (form.length > 4) form = form.replace(/(en|em|e)$/, '');
  return form.endsWith('y') && form.length > 3 ? `${form.slice(0, -1)}i` : form;
}

const languages = ['en', 'de', 'fr', 'es', 'it'] as const satisfies (keyof typeof stopWords)[];
const listed = [
  'ru',
  'uk',
  'tr',
  'ar',
  'hi',
  'vi',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'ro',
  'hu',
  'el',
  'id',
  'he',
  'fa',
] as const satisfies (keyof typeof listedStopWords)[];
const plainStopWords = lazily(
  () =>
    Object.fromEntries(languages.map((language) => [language, new Set(stopWords[language].split(/\s+/))])) as Record<
      (typeof languages)[number],
      Set<string>
    >,
);
/** Cut as documents are; made with the first question. */
const stopTerms = lazily(
  () =>
    new Map<NonNullable<QuestionTerms['language']>, Set<string>>([
      ...languages.map(
        (language) => [language, new Set(analyze(stopWords[language].replaceAll(/\s+/g, ' ')))] as const,
      ),
      ...listed.map((language) => [language, new Set(analyze(listedStopWords[language].join(' ')))] as const),
    ]),
);
