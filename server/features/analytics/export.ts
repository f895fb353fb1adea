import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Tx } from '#server/db/db.ts';
import { type Cell, toCsv } from '#server/lib/csv.ts';
import { documentsCited } from './documents.ts';
import { askersIn, feedbackIn } from './feedback.ts';
import { durations, hours, perDay, topQuestions, unansweredQuestions } from './overview.ts';
import { type Range, sourcesOf } from './sources.ts';

type Table = ParsedInput<'exportAnalytics'>['table'];
interface Content {
  header: string[];
  rows: Cell[][];
}

const maxRows = 100_000;
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** What each table holds; of people only where the company shows names. */
const contents: Record<Table, (tx: Tx, range: Range, showNames: boolean) => Promise<Content>> = {
  days: async (tx, range) => ({
    header: ['Date', 'Asked', 'Unanswered'],
    rows: (await perDay(tx, range, sourcesOf(range))).map(({ date, asked, unanswered }) => [date, asked, unanswered]),
  }),
  questions: async (tx, range) => ({
    header: ['Question', 'Times asked', 'Last asked'],
    rows: (await topQuestions(tx, sourcesOf(range), maxRows)).map(({ text, count, lastAskedAt }) => [
      text,
      count,
      lastAskedAt,
    ]),
  }),
  unanswered: async (tx, range) => ({
    header: ['Question', 'Times unanswered', 'People', 'Last unanswered', 'Answered since'],
    rows: (await unansweredQuestions(tx, range, maxRows)).map(({ text, count, people, lastAskedAt, answeredSince }) => [
      text,
      count,
      people,
      lastAskedAt,
      answeredSince ? 'yes' : 'no',
    ]),
  }),
  documents: async (tx, range) => ({
    header: ['Document', 'Citations', 'Last cited'],
    rows: (await documentsCited(tx, range, maxRows)).documents.map(({ name, citations, lastCitedAt }) => [
      name,
      citations,
      lastCitedAt ?? null,
    ]),
  }),
  feedback: async (tx, range, showNames) => {
    const { feedback } = await feedbackIn(tx, range, { limit: maxRows, showNames });
    const person = (name: string | undefined) => (showNames ? [name ?? null] : []);
    return {
      header: ['Asked', 'Rating', 'Reason', 'Question', 'Answer', ...(showNames ? ['Person'] : [])],
      rows: feedback.map(({ askedAt, rating, reason, question, answer, person: name }) => [
        askedAt,
        rating === 'up' ? 'helpful' : 'not helpful',
        reason ?? null,
        question,
        answer,
        ...person(name),
      ]),
    };
  },
  people: async (tx, range) => ({
    header: ['E-mail', 'Name', 'Asked', 'Unanswered', 'Rated', 'Last asked'],
    rows: (await askersIn(tx, range, maxRows)).map(({ email, displayName, asked, unanswered, rated, lastAskedAt }) => [
      email ?? 'Removed person',
      displayName ?? null,
      asked,
      unanswered,
      rated,
      lastAskedAt,
    ]),
  }),
  hours: async (tx, range) => ({
    header: ['Weekday', 'Hour', 'Asked'],
    rows: (await hours(tx, sourcesOf(range))).map(({ weekday, hour, asked }) => [
      weekdays[weekday - 1] ?? null,
      hour,
      asked,
    ]),
  }),
  speed: async (tx, range) => ({
    header: ['Milliseconds at most', 'Answers'],
    rows: (await durations(tx, sourcesOf(range))).map(({ maxMs, asked }) => [maxMs, asked]),
  }),
};

/** A table of the analytics as a file. */
export async function exportTable(
  tx: Tx,
  table: Table,
  range: Range,
  showNames: boolean,
): Promise<CallOutput<'exportAnalytics'>> {
  const { header, rows } = await contents[table](tx, range, showNames);
  return { fileName: `analytics-${table}-${range.from}-${range.to}.csv`, csv: toCsv(header, rows) };
}
