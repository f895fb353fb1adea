/**
 * `npm run evals -- retrieval|parts|follow-ups|answers|claims|citations|spans|pdf|planted|office|same-question|fit
 * [--sample N] [--set NAME ...] [--verbose] [--write]`: measures quality through the product's own code and prints
 * tables; with `--write` keeps them in evals/RESULTS.md. Embeddings and reranking are measured where the environment
 * names them, as for the server (docs/configuration.md).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateAnswers } from './answers.ts';
import { evaluateCitations } from './citations.ts';
import { fitAnswers } from './fitting.ts';
import { evaluateFollowUps } from './follow-ups.ts';
import { evaluateOffice } from './office.ts';
import { evaluateParts } from './parts.ts';
import { evaluatePdf } from './pdf.ts';
import { evaluatePlanted } from './planted.ts';
import { writeSection } from './results.ts';
import { evaluateRetrieval } from './retrieval.ts';
import { evaluateSameQuestion } from './same-question.ts';
import { evaluateSpans } from './spans.ts';
import { evaluateClaims } from './written-claims.ts';

/**
 * @property sampled the size was asked for: answers to prose are few enough to ask all of them otherwise
 * @property sets of retrieval and pdf, those that are measured; none: all
 */
interface Wanted {
  size: number;
  sampled: boolean;
  sets: string[];
  verbose: boolean;
}

const parts = {
  retrieval: evaluateRetrieval,
  parts: ({ size }: Wanted) => evaluateParts(size),
  'follow-ups': ({ size }: Wanted) => evaluateFollowUps(size),
  answers: ({ size, sampled }: Wanted) => evaluateAnswers(size, sampled ? size : Number.POSITIVE_INFINITY),
  claims: () => evaluateClaims(),
  citations: ({ size }: Wanted) => evaluateCitations(size),
  spans: ({ size }: Wanted) => evaluateSpans(size),
  pdf: evaluatePdf,
  planted: () => evaluatePlanted(),
  office: evaluateOffice,
  'same-question': () => evaluateSameQuestion(),
};
/**
 * Fits the weights of quotes and answerability anew, and with `--write` puts them into use. Only where it is asked for.
 */
const fit = 'fit';
/** Questions of each set, unless a number is given. */
const usualSize = 200;
const results = join(import.meta.dirname, 'RESULTS.md');
const head = '# Quality\n\nWritten by `npm run evals -- --write`.\n';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    verbose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const sampled = values.sample !== undefined;
const size = Number(values.sample ?? usualSize);
const unknown = positionals.filter((name) => name !== fit && !Object.hasOwn(parts, name));
if (unknown.length > 0 || !Number.isInteger(size) || size < 1) {
  console.error(
    'usage: npm run evals -- [retrieval] [parts] [follow-ups] [answers] [claims] [citations] [spans] [pdf] [planted] [office] [same-question] [fit] [--sample N] [--set NAME] [--verbose] [--write]',
  );
  process.exit(2);
}

if (positionals.includes(fit)) console.log((await fitAnswers(size, values.write)).join('\n'));

for (const [name, evaluate] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const started = performance.now();
  const lines = await evaluate({ size, sampled, sets: values.set, verbose: values.verbose });
  const title = `## ${name}`;
  const how = `\`npm run evals -- ${name}${sampled ? ` --sample ${size}` : ''}\`, ${new Date().toISOString().slice(0, 10)}, ${((performance.now() - started) / 1000).toFixed(0)} s.`;
  const section = [title, '', how, '', ...lines, ''].join('\n');
  console.log(section);
  if (values.write) writeSection(results, head, section);
}
