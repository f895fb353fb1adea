import type { createPause } from '#server/lib/pause.ts';
import type { Candidate } from '#server/ports/search/port.ts';
import { readTermLines, type TermLine, type TermLines } from '../question/candidate-terms.ts';
import type { Lexicon } from '../question/lexicon.ts';
import { nameCheck } from './lacking-names.ts';
import { closeness, phrases } from './nearness.ts';
import type { RankingWeights } from './weights.ts';

/** What speaks for a passage, each as a share of the question's weight or close to it: comparable between questions. */
export interface Signals {
  /** BM25F (Robertson and Zaragoza 2009): matches in title, heading and text are added up before they saturate. */
  match: number;
  /** The question's words in the passage, its heading or its title. */
  coverage: number;
  /** Those in its best sentence, item or row. */
  sentence: number;
  /** Words that it has in another form only. */
  forms: number;
  /** Words next to each other in the question that are so in the passage. */
  phrases: number;
  /** How close the words stand, by their rarity: a word that is missing stands nowhere near. */
  closeness: number;
  /** The question names a row of the table by its first cell. */
  row: number;
  /** All of the document's candidates together have the words; */
  document: number;
  /** those of its page; */
  page: number;
  /** the file's name, and what the document says of itself on its first page. */
  about: number;
  /** Names in the question that another document here is about, and this one nowhere has. */
  otherName: number;
  /** A number is asked for, and this is a table. */
  table: number;
  /** A word is to be explained, or a part shown, and a line begins with it. */
  opens: number;
}

/** BM25's parameters, set on the evaluation's questions as all figures here. */
const tuning = { k1: 0.8, b: 0.75 };
const weightOfKnown = 0.3;

/** A candidate made ready to be measured. */
export interface Read {
  candidate: Candidate;
  text: TermLines;
  /** Where each term of the question stands in its lines. Undefined: nowhere, or the document is about that name. */
  positions: readonly (number[] | undefined)[];
  /** Whether each stands in the headings, the title or what the document is about. */
  around: readonly boolean[];
  /** Whether it does in one of the last two: they are the whole document's. */
  about: readonly boolean[];
  length: number;
  match: number;
  coverage: number;
}

/** The first look at a candidate: cheap enough for all of them. */
export function look(candidate: Candidate, lexicon: Lexicon, fieldWeights: RankingWeights['fields']): Read {
  const { weights, question, statistics } = lexicon;
  const text = readTermLines(candidate.terms, lexicon);
  const from = text.heading.end;
  const positions: (number[] | undefined)[] = weights.map(() => undefined);
  for (let place = from; place < text.terms.length; place++) {
    const term = text.terms[place] ?? 0;
    if (term >= weights.length) continue;
    const known = positions[term];
    if (known) known.push(place);
    else positions[term] = [place];
  }
  const inHeading = presence(text, text.heading, weights.length);
  const inTitle = presence(text, text.title, weights.length);
  const inAbout = presence(text, text.about, weights.length);
  const about = inTitle.map((isThere, term) => isThere || inAbout[term] === true);
  for (const [term, isThere] of about.entries())
    if (isThere && text.page !== '' && lexicon.areNames[term]) positions[term] = undefined;
  const length = text.terms.length - from;
  const norm = 1 - tuning.b + tuning.b * (length / statistics.averageLength);
  let match = 0;
  let covered = 0;
  for (const [term, weight] of weights.entries()) {
    const frequency =
      (positions[term]?.length ?? 0) / norm +
      (inHeading[term] ? fieldWeights.heading : 0) +
      (inTitle[term] ? fieldWeights.title : inAbout[term] ? fieldWeights.about : 0);
    if (frequency === 0) continue;
    match += (weight * frequency * (tuning.k1 + 1)) / (frequency + tuning.k1);
    covered += weight;
  }
  return {
    candidate,
    text,
    positions,
    around: inHeading.map((isThere, term) => isThere || about[term] === true),
    about,
    length,
    match: match / question.total,
    coverage: Math.min(1, covered / question.total),
  };
}

/** Which of the question's terms stand in a line. */
function presence({ terms }: TermLines, { start, end }: TermLine, asked: number): boolean[] {
  const there: boolean[] = Array.from({ length: asked }, () => false);
  for (let place = start; place < end; place++) {
    const term = terms[place] ?? 0;
    if (term < asked) there[term] = true;
  }
  return there;
}

/** The second look, at the best of them. @param pause between two of them */
export async function signalsOf(
  reads: Read[],
  lexicon: Lexicon,
  pause: ReturnType<typeof createPause>,
): Promise<Signals[]> {
  const { weights } = lexicon;
  const { total, asksNumber } = lexicon.question;
  const none = weights.map(() => false);
  const hasOpening = lexicon.opening.length > 0;
  const ofDocument = together(reads, documentOf);
  const ofPage = together(reads, pageOf);
  const share = (there: readonly boolean[]) => {
    let sum = 0;
    for (const [term, weight] of weights.entries()) if (there[term]) sum += weight;
    return sum / total;
  };

  const lacksNames = nameCheck(reads, lexicon);

  const signals: Signals[] = [];
  for (const read of reads) {
    const { text, positions, around, about, match, coverage } = read;
    const inDocument = ofDocument.get(documentOf(read)) ?? none;
    const other = [...none];
    let best = 0;
    let row = 0;
    /** The last line in which each of the question's terms was seen. */
    const seen: number[] = weights.map(() => -1);
    for (const line of text.lines) {
      let covered = 0;
      for (let place = line.start; place < line.end; place++) {
        const term = text.terms[place] ?? 0;
        if (term >= weights.length) {
          for (const form of lexicon.formsOf(term)) if (!positions[form] && !around[form]) other[form] = true;
        } else if (seen[term] !== line.start && positions[term]) {
          seen[term] = line.start;
          covered += (weights[term] ?? 0) / total;
        }
      }
      best = Math.max(best, covered);
      if (line.label > 0) row = Math.max(row, named(text, line));
    }
    signals.push({
      match,
      coverage,
      sentence: best,
      forms: share(other),
      phrases: phrases(positions, lexicon) / total,
      closeness: closeness(positions, weights),
      row,
      document: share(inDocument),
      page: share(ofPage.get(pageOf(read)) ?? none),
      about: share(about),
      otherName: lacksNames(inDocument),
      table: asksNumber && text.lines.some(({ label }) => label > 0) ? 1 : 0,
      opens: hasOpening && text.lines.some((line) => beginsWith(lexicon.opening, text, line)) ? 1 : 0,
    });
    await pause();
  }
  return signals;

  /** How much of a name the question has, times how much of the question that is. */
  function named({ terms }: TermLines, { start, label }: TermLine): number {
    let matched = 0;
    let all = 0;
    for (const term of new Set(terms.slice(start, start + label))) {
      const weight = lexicon.idf(term) + weightOfKnown;
      all += weight;
      if (term < weights.length) matched += weight * (lexicon.shares[term] ?? 1);
    }
    return all === 0 ? 0 : ((matched / all) * matched) / total;
  }
}

/** Whether a line begins with some terms; a number or an article may stand before them. */
function beginsWith(wanted: readonly number[], { terms }: TermLines, { start, end }: TermLine): boolean {
  for (let from = start; from <= start + 1 && from + wanted.length <= end; from++)
    if (wanted.every((term, i) => terms[from + i] === term)) return true;
  return false;
}

/** Which of the question's terms stand somewhere in all that have the same key. */
function together(reads: Read[], keyOf: (read: Read) => string): Map<string, boolean[]> {
  const all = new Map<string, boolean[]>();
  for (const read of reads) {
    const key = keyOf(read);
    const known = all.get(key);
    const there = read.positions.map((places, term) => places !== undefined || read.around[term] === true);
    all.set(key, known ? known.map((isKnown, term) => isKnown || there[term] === true) : there);
  }
  return all;
}

function documentOf({ candidate }: Read): string {
  return candidate.documentId;
}

/** Where the format has no pages, the passage is its own. */
function pageOf({ candidate, text }: Read): string {
  return text.page === '' ? candidate.id : `${candidate.documentId}${text.page}`;
}
