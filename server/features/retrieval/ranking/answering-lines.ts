import { analyze } from '#server/lib/analyze.ts';
import { askedKind, hasKind } from '../question/answer-kind.ts';
import { answerType, hasAnswer } from '../question/answer-type.ts';
import { readAsked } from '../question/asked.ts';
import { type Coverage, createCoverage, together } from '../question/coverage.ts';
import { askedDefinition } from '../question/definition.ts';
import { focusOf } from '../question/focus.ts';
import { askedPart, numberedFit, numberedParts, openingPart } from '../question/numbered-parts.ts';
import type { Question } from '../question/question.ts';
import { termsFor } from '../question/terms-for.ts';
import { askedYears, type Dated, yearFit } from '../question/year-fit.ts';

/** What speaks for it that a line of a passage answers: what words alone do not tell. */
export interface LineSignals {
  /** The question's words in its best line, with those of its headings and its file's name. */
  words: number;
  /** The same of the lines that have what is asked for: an amount, a date. */
  typed: number;
  /** The words that name what is asked for stand in a line, or over it. */
  focus: number;
  /** A year that is asked for does. */
  year: number;
  /** An answer of a certain kind is asked for, and no line has one. */
  lacksKind: number;
  /** Of a row's label so much stands in the question. */
  labelled: number;
  /** It is asked what a word means, and a line explains it. */
  defines: number;
  /** A numbered part is to be shown, as a figure: 1 where a line or heading begins with it, less where one names it. */
  numbered: number;
}

/** The signals, each by its weight. */
export function lineScore(signals: LineSignals, weights: Record<keyof LineSignals, number>): number {
  let score = 0;
  for (const name in signals) score += weights[name as keyof LineSignals] * signals[name as keyof LineSignals];
  return score;
}

/** A passage as it is read for the question. */
interface Readable extends Dated {
  name: string;
  text: string;
  language: string | null;
}

/** Lines of one passage: it has some dozens. */
const maxLines = 200;
/** A paragraph's sentences; what is shorter is one line. */
const longLine = 200;
/** What a line that only names a part counts beside one that begins with it. */
const mentionShare = 0.3;
const sentenceEnd = /(?<=[.!?]) (?=[\p{Lu}\p{N}"'“„(])|(?<=[。！？])/u;

/** Reads passages for one question. */
export function createLineLook(question: Question, text: string): (passage: Readable) => LineSignals {
  const { of, share, most } = createCoverage(question);
  const [wanted, kind, years, asked] = [answerType(text), askedKind(text), askedYears(text), readAsked(text)];
  const focus = of(analyze(focusOf(text)));
  const focusShare = share(focus);
  const definition = askedDefinition(text);
  const parts = numberedParts(askedPart(text) ?? '');
  return (passage) => {
    const read = (part: string) => termsFor(question, part, passage.language);
    const above = of(read(`${passage.headingPath.join(' ')} ${passage.name}`));
    const best: LineSignals = {
      words: 0,
      typed: 0,
      focus: 0,
      year: 0,
      lacksKind: kind === null ? 0 : 1,
      labelled: 0,
      defines: 0,
      numbered: Math.max(...passage.headingPath.map(numbered), 0),
    };
    let header = '';
    let inHeader: Coverage = [];
    for (const line of linesOf(passage.text)) {
      const cells = line.split(' | ');
      const isRow = cells.length > 1;
      if (!isRow) header = '';
      else if (header === '') {
        header = line;
        inHeader = of(read(header));
      }
      const over = isRow ? `${header} ${line}` : line;
      const own = isRow ? together(inHeader, of(read(line))) : of(read(line));
      const words = share(own, above);
      best.words = Math.max(best.words, words);
      // Looking for dates, amounts and years takes longer than all words of a line: only where it may tell more.
      const said = isRow ? cells.slice(1).join(' | ') : line;
      const mayBeTyped = wanted !== null && words > best.typed;
      const isOfKind = kind === null || ((mayBeTyped || best.lacksKind === 1) && hasKind(said, kind, isRow));
      if (isOfKind) best.lacksKind = 0;
      if (mayBeTyped && isOfKind && hasAnswer(said, wanted, asked)) best.typed = words;
      const label = isRow ? labelled(read(cells[0] ?? '')) : 0;
      if (best.year === 0 || label > best.labelled) {
        const fit = yearFit(years, `${over} ${passage.headingPath.at(-1) ?? ''}`, passage);
        best.year = Math.max(best.year, fit.year);
        if (fit.otherYear === 0) best.labelled = Math.max(best.labelled, label);
      }
      if (focusShare > 0) best.focus = Math.max(best.focus, focused(own, above));
      best.defines = Math.max(best.defines, definition?.defines(line, isRow ? cells : undefined) ?? 0);
      best.numbered = Math.max(best.numbered, numbered(line));
    }
    return best;
  };

  function focused(own: Coverage, above: Coverage): number {
    return share(focus.map((each, i) => Math.min(each, Math.max(own[i] ?? 0, above[i] ?? 0)))) / focusShare;
  }

  function numbered(line: string): number {
    if (numberedFit(parts, line).numbered === 0) return 0;
    return numberedFit(parts, openingPart(line)).numbered === 1 ? 1 : mentionShare;
  }

  function labelled(label: readonly string[]): number {
    const terms = [...new Set(label)];
    let matched = 0;
    for (const term of terms) matched += most(term);
    return terms.length === 0 ? 0 : matched / terms.length;
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n', maxLines)
    .flatMap((line) => (line.length < longLine || line.includes(' | ') ? [line] : line.split(sentenceEnd)))
    .slice(0, maxLines);
}
