import { and, asc, eq } from '#server/db/drizzle.ts';
import { blocks, citations } from '#server/db/schema.ts';
import { type Asked, askAll, isQuoted, shownOf, tablesOf } from './asked.ts';
import { type Harness, openHarness } from './harness.ts';
import { mean } from './measures.ts';
import { askSamples } from './own-samples.ts';
import { isTunedOn, readSet, sample, sourcesOf } from './sets.ts';

/** Share of the questions with a gold answer, or the right row, in the quotes. */
const goals = { text: '≥ 92', row: '≥ 85' };

/**
 * Asks through the product's own answers: is the answer quoted, is what is absent refused, does every citation hold?
 * @param proseSize questions of each set of prose whose quotes are looked at
 */
export async function evaluateAnswers(size: number, proseSize = size): Promise<string[]> {
  const harness = await openHarness();
  try {
    return [
      ...(await quotedAnswers(harness, size, proseSize)),
      '',
      ...(await refusals(harness, size)),
      '',
      ...(await ownSamples(harness)),
      '',
      await citationsThatHold(harness),
    ];
  } finally {
    await harness.close();
  }
}

/** The share of questions with a gold answer in the quotes, and where the others were lost. */
async function quotedAnswers(harness: Harness, size: number, proseSize: number): Promise<string[]> {
  const lines = [
    'Shares of all questions in %. `tatqa` (type `span`) by where the answer stands: in a row of a table (the right row of the right table must be quoted), in running text, or as the name of a column only.',
    '',
    '| set | questions | quoted | fitted on | kept apart | goal | refused | not read | in no single quote | ranked lower | quotes | characters in all |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  for (const name of ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa']) {
    const set = readSet(name);
    if (!set) continue;
    const corpus = await harness.load(sourcesOf(set.passages));
    if (name !== 'tatqa') {
      lines.push(
        lineOf(name, goals.text, await askAll(harness, set, corpus, sample(set.questions, proseSize), isQuoted)),
      );
      continue;
    }
    const { placeOf, isRightRow } = tablesOf(set);
    // What is computed from several cells stands nowhere to be quoted.
    const byPlace = Map.groupBy(
      set.questions.filter(({ type }) => type === 'span'),
      placeOf,
    );
    for (const place of ['row', 'text', 'column'] as const) {
      const isRight = place === 'row' ? isRightRow : isQuoted;
      const asked = await askAll(harness, set, corpus, sample(byPlace.get(place) ?? [], size), isRight);
      lines.push(lineOf(`tatqa, ${place}`, place === 'row' ? goals.row : '', asked));
    }
  }
  return lines;
}

function lineOf(name: string, goal: string, asked: Asked[]): string {
  const isRight = ({ missed }: Asked) => missed === null;
  const half = (tuned: boolean) => asked.filter(({ question }) => isTunedOn(question.id) === tuned);
  const lost = (['refused', 'not read', 'in no quote', 'ranked lower'] as const).map((why) =>
    share(asked.map(({ missed }) => missed === why)),
  );
  const cells = [
    name,
    asked.length,
    ...[asked, half(true), half(false)].map((some) => share(some.map(isRight))),
    goal,
    ...lost,
    mean(asked.map(({ answer }) => shownOf(answer).length)).toFixed(1),
    mean(asked.map(({ answer }) => shownOf(answer).reduce((sum, { quote }) => sum + quote.length, 0))).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Half of the articles are loaded; the questions about the others ought to be refused. */
async function refusals(harness: Harness, size: number): Promise<string[]> {
  const lines = [
    '| set, every other article absent | absent: refused (goal for squad: ≥ 85) | fitted on | kept apart | present: refused (≤ 5) | fitted on | kept apart |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const name of ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar']) {
    const set = readSet(name);
    if (!set) continue;
    for (const half of [0, 1]) {
      const articles = [...new Set(set.passages.map(({ doc }) => doc))].filter((_, i) => i % 2 === half);
      const present = set.passages.filter(({ doc }) => articles.includes(doc));
      const ids = new Set(present.map(({ id }) => id));
      const corpus = await harness.load(sourcesOf(present));
      const cells: string[] = [];
      for (const isPresent of [false, true]) {
        const questions = set.questions.filter(({ gold }) => gold.some((id) => ids.has(id)) === isPresent);
        const asked = await askAll(harness, { ...set, passages: present }, corpus, sample(questions, size), () => true);
        const refused = (some: Asked[]) => share(some.map(({ answer }) => !answer.answered));
        cells.push(
          refused(asked),
          ...[true, false].map((tuned) => refused(asked.filter(({ question }) => isTunedOn(question.id) === tuned))),
        );
      }
      lines.push(`| ${name}, ${half === 0 ? 'first' : 'second'} half | ${cells.join(' | ')} |`);
    }
  }
  return lines;
}

/** The documents of samples/, parsed and cut by the product. */
async function ownSamples(harness: Harness): Promise<string[]> {
  const asked = await askSamples(harness);
  const wrong = asked
    .filter(({ isRight }) => !isRight)
    .map(
      ({ question, answer }) => `${question.id} (${question.kind}, ${answer.answered ? 'another quote' : 'refused'})`,
    );
  return [
    '| samples, by kind | right |',
    '|---|---|',
    ...[...Map.groupBy(asked, ({ question }) => question.kind)].map(
      ([kind, each]) => `| ${kind} | ${each.filter(({ isRight }) => isRight).length} of ${each.length} |`,
    ),
    '',
    `Not right: ${wrong.join(', ') || 'none'}.`,
  ];
}

/** Every citation that was stored, against the text it names. */
async function citationsThatHold({ db }: Harness): Promise<string> {
  const stored = await db.asSystem((tx) => tx.select().from(citations));
  let hold = 0;
  // Each company's documents have the same ids, so that figures repeat.
  for (const cited of Map.groupBy(stored, ({ companyId, documentId }) => `${companyId} ${documentId}`).values()) {
    const [{ companyId, documentId } = { companyId: '', documentId: '' }] = cited;
    const rows = await db.asSystem((tx) =>
      tx
        .select({ text: blocks.text })
        .from(blocks)
        .where(and(eq(blocks.companyId, companyId), eq(blocks.documentId, documentId)))
        .orderBy(asc(blocks.index)),
    );
    const text = rows.map((row) => row.text).join('\n');
    hold += cited.filter(({ quote, start, end }) => quote !== null && text.slice(start, end) === quote).length;
  }
  return `Citations whose quote stands word for word at its offsets: ${hold} of ${stored.length}.`;
}

function share(each: boolean[]): string {
  return `${(100 * mean(each.map(Number))).toFixed(1)}`;
}
