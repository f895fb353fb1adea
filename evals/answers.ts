import { asc, eq } from 'drizzle-orm';
import type { CallOutput } from '#contract/calls.ts';
import { blocks, citations } from '#server/db/schema.ts';
import { type Corpus, type Harness, openHarness } from './harness.ts';
import { mean } from './measures.ts';
import { askSamples } from './own-samples.ts';
import { plain } from './plain.ts';
import { type AskedQuestion, readSet, sample, sourcesOf } from './sets.ts';

type Answer = CallOutput<'query'>;

/** Asks through the product's own answers: is the answer quoted, is what is absent refused, does every citation hold? */
export async function evaluateAnswers(size: number): Promise<string[]> {
  const harness = await openHarness();
  try {
    return [
      ...(await quotedAnswers(harness, size)),
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

/** The share of questions with a gold answer in the quotes. */
async function quotedAnswers(harness: Harness, size: number): Promise<string[]> {
  const lines = [
    '| set | questions | a gold answer is quoted | refused | quotes | characters in all |',
    '|---|---|---|---|---|---|',
  ];
  for (const name of ['squad', 'xquad-de', 'xquad-zh', 'xquad-ar', 'tatqa']) {
    const set = readSet(name);
    if (!set) continue;
    const corpus = await harness.load(sourcesOf(set.passages));
    // tatqa: what is computed from several cells stands nowhere to be quoted.
    const quotable = set.questions.filter(({ type }) => type === undefined || type === 'span');
    const answers = await askAll(harness, corpus, sample(quotable, size));
    lines.push(
      `| ${[
        name,
        answers.length,
        share(answers.map(({ question, answer }) => isQuoted(question.answers, answer))),
        share(answers.map(({ answer }) => !answer.answered)),
        mean(answers.map(({ answer }) => answer.sources.length)).toFixed(1),
        mean(answers.map(({ answer }) => answer.sources.reduce((sum, { quote }) => sum + quote.length, 0))).toFixed(0),
      ].join(' | ')} |`,
    );
  }
  return lines;
}

/** Half of the articles are loaded; the questions about the others ought to be refused. */
async function refusals(harness: Harness, size: number): Promise<string[]> {
  const lines = ['| set, every other article absent | absent: refused | present: refused |', '|---|---|---|'];
  for (const name of ['squad', 'xquad-de']) {
    const set = readSet(name);
    if (!set) continue;
    for (const half of [0, 1]) {
      const articles = [...new Set(set.passages.map(({ doc }) => doc))].filter((_, i) => i % 2 === half);
      const present = set.passages.filter(({ doc }) => articles.includes(doc));
      const ids = new Set(present.map(({ id }) => id));
      const corpus = await harness.load(sourcesOf(present));
      const [inside, outside] = [true, false].map((wanted) =>
        sample(
          set.questions.filter(({ gold }) => gold.some((id) => ids.has(id)) === wanted),
          size,
        ),
      );
      const [answerable, absent] = [
        await askAll(harness, corpus, inside ?? []),
        await askAll(harness, corpus, outside ?? []),
      ];
      lines.push(
        `| ${name}, ${half === 0 ? 'first' : 'second'} half | ${share(absent.map(({ answer }) => !answer.answered))} of ${absent.length} | ${share(answerable.map(({ answer }) => !answer.answered))} of ${answerable.length} |`,
      );
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
  for (const [documentId, cited] of Map.groupBy(stored, (citation) => citation.documentId)) {
    const rows = await db.asSystem((tx) =>
      tx.select({ text: blocks.text }).from(blocks).where(eq(blocks.documentId, documentId)).orderBy(asc(blocks.index)),
    );
    const text = rows.map((row) => row.text).join('\n');
    hold += cited.filter(({ quote, start, end }) => quote !== null && text.slice(start, end) === quote).length;
  }
  return `Citations whose quote stands word for word at its offsets: ${hold} of ${stored.length}.`;
}

async function askAll(harness: Harness, corpus: Corpus, questions: AskedQuestion[]) {
  const answers: { question: AskedQuestion; answer: Answer }[] = [];
  for (const question of questions) {
    const history = [{ role: 'user' as const, parts: [{ text: question.question }] }];
    answers.push({ question, answer: await harness.answers.query(corpus.actor, { history }, quietly()) });
  }
  return answers;
}

function quietly() {
  return { signal: new AbortController().signal, emit() {} };
}

function isQuoted(golds: string[], { sources }: Answer): boolean {
  const quotes = sources.map(({ quote }) => plain(quote));
  return golds.some((gold) => quotes.some((quote) => quote.includes(plain(gold))));
}

function share(each: boolean[]): string {
  return `${(100 * mean(each.map(Number))).toFixed(1)} %`;
}
