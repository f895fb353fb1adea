import { mean, percentile } from './measures.ts';
import type { Page } from './pages.ts';
import {
  type AskedPdf,
  causeOf,
  causes,
  isFirst,
  isInAnyQuote,
  isInSources,
  isQuoted,
  isRead,
  isRefused,
  isShown,
  type PdfQuestion,
} from './pdf-asked.ts';

/** Files that are one company's, and what is asked about them. */
export interface Collection {
  name: string;
  files: string[];
  questions: PdfQuestion[];
  pages: Page[];
}

export interface Ranked {
  engine: string;
  rankings: { gold: string[]; found: string[] }[];
}

/** Share of the questions with a gold page among the first k. */
export function recall({ rankings }: Pick<Ranked, 'rankings'>, k: number): number {
  return mean(rankings.map(({ found, gold }) => (found.slice(0, k).some((page) => gold.includes(page)) ? 1 : 0)));
}

export function searchLine({ name, files, pages }: Collection, ranked: Ranked): string {
  const shares = [1, 5, 10].map((k) => recall(ranked, k).toFixed(3));
  const cells = [`${name} (${files.length})`, pages.length, ranked.rankings.length, ranked.engine, ...shares];
  return `| ${cells.join(' | ')} |`;
}

export function answerLine(name: string, asked: AskedPdf[]): string {
  const answerable = asked.filter(({ question }) => question.answerable);
  const answered = answerable.filter(({ answer }) => answer.answered);
  const unanswerable = asked.filter(({ question }) => !question.answerable);
  const quotes = answered.flatMap(({ shown, gold }) => shown.map(({ page }) => !gold.includes(page)));
  const cells = [
    name,
    percent(answerable.map(isRead)),
    percent(answered.map(isInSources)),
    percent(answered.map(isShown)),
    percent(answered.map(isFirst)),
    percent(answerable.map(isRefused)),
    percent(unanswerable.map(isRefused)),
    percent(answerable.map(isQuoted)),
    percent(answerable.map(isInAnyQuote)),
    percent(quotes),
    mean(answered.map(({ shown }) => shown.length)).toFixed(1),
    percentile(
      asked.map(({ ms }) => ms),
      0.5,
    ).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function causeLine(name: string, asked: AskedPdf[]): string {
  const counts = Map.groupBy(asked, causeOf);
  return `| ${[name, ...causes.map((cause) => counts.get(cause)?.length ?? 0)].join(' | ')} |`;
}

/** By what the answer stands in, and by language. */
export function byPart(name: string, asked: AskedPdf[]): string[] {
  const answerable = asked.filter(({ question }) => question.answerable);
  const groups = [
    ...Map.groupBy(answerable, ({ question }) => question.kind ?? 'other'),
    ...Map.groupBy(answerable, ({ question }) => question.lang),
  ];
  return groups.map(([part, some]) => {
    const shares = [1, 5].map((k) => recall({ rankings: some }, k).toFixed(3));
    const rest = [isRead, isInSources, isRefused, isQuoted].map((is) => percent(some.map(is)));
    return `| ${[name, part, some.length, ...shares, ...rest].join(' | ')} |`;
  });
}

export const tableOfQuestions = [
  '| files | question | answer | gold | rank of it | read | first page | quotes (right pages) | answer string | quoted first |',
  '|---|---|---|---|---|---|---|---|---|---|',
];

export function questionLine(name: string, asked: AskedPdf): string {
  const { question, gold, found, answer, shown } = asked;
  const rank = found.findIndex((page) => gold.includes(page)) + 1;
  const cells = [
    name,
    question.question,
    question.answers.join(' / '),
    gold.join(', '),
    rank || '-',
    isRead(asked) ? 'yes' : 'no',
    found[0] ?? '',
    answer.answered ? `${shown.length} (${shown.filter(({ page }) => gold.includes(page)).length})` : 'refused',
    question.answerable ? causeOf(asked) : '',
    shown[0] ? `${shown[0].page}: ${shown[0].quote}` : '',
  ];
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '¦')).join(' | ')} |`;
}

function percent(each: boolean[]): string {
  return (100 * mean(each.map(Number))).toFixed(1);
}

export function points(value: number): string {
  return `${value >= 0 ? '+' : ''}${(100 * value).toFixed(1)}`;
}
