import type { AgentSettings, AnswerLanguage } from '#contract/agent.ts';
import { neutralizeMarkers } from '#contract/citations.ts';
import { type Missing, sayMissing } from '../extract/missing.ts';
import type { Generated } from '../generate/generate.ts';
import type { AnswerStyle } from './style.ts';
import { answerLanguage, type Wording, wordings } from './wording.ts';

/** What a company's settings make of one question. */
export interface Manner {
  /** A model may write it. */
  isWritten: boolean;
  style: AnswerStyle;
  language: AnswerLanguage;
  /** Our own sentences in that language. */
  wording: Wording;
  /**
   * How many quotes stand in the answer: the best one, those that answer, or also those that were found beside them.
   */
  quotes: AgentSettings['length'];
  /** What is said where nothing was found. */
  notFound: (missing: Missing) => string;
  contact: string | undefined;
  /** Those in which the company wants to be answered; empty: any. */
  languages: AgentSettings['languages'];
}

/** How this question is answered, by what the company has set. @param question decides in which of its languages */
export function mannerOf(settings: AgentSettings, question: string): Manner {
  const { mode, languages, length, notFound, contact, name, instructions, tone } = settings;
  const language = answerLanguage(question, languages);
  const wording = wordings[language];
  return {
    isWritten: mode === 'written',
    style: { name, instructions, tone, length, language: languages.length > 0 ? language : null },
    language,
    wording,
    quotes: length,
    notFound: (missing) => {
      const lacking = sayMissing(missing, wording);
      if (notFound === '') return `${[wording.notFound, ...(lacking === null ? [] : [lacking])].join(': ')}.`;
      const own = neutralizeMarkers(notFound);
      return lacking === null ? own : `${own}\n\n${lacking.charAt(0).toUpperCase()}${lacking.slice(1)}.`;
    },
    contact: contact === '' ? undefined : contact,
    languages,
  };
}

/** Why quotes stand where an answer was to be written. */
export function noticeOf(
  outcome: Generated['outcome'],
  { failed, unsupported, outdated }: Wording,
): string | undefined {
  const notices: Partial<Record<Generated['outcome'], string>> = { failed, unsupported, outdated };
  return notices[outcome];
}

/** Why a written answer ends where it does. */
export function endOf(outcome: Generated['outcome'], { cutOff, brokenOff }: Wording): string | undefined {
  const ends: Partial<Record<Generated['outcome'], string>> = { 'cut-off': cutOff, 'broken-off': brokenOff };
  return ends[outcome];
}

/** Which quotes stand in the answer, and which are folded behind it. */
export function shownBy({ quotes }: Manner) {
  return <Each extends { isSupporting?: boolean }>({ isSupporting, ...quote }: Each, place: number) => {
    if (quotes === 'detailed') return quote;
    return { ...quote, ...((isSupporting || (quotes === 'short' && place > 0)) && { isSupporting: true }) };
  };
}
