import { type Form, forms } from './claim-forms.ts';

/** A sentence as a model would write it, beside the passage that says so or does not. */
export interface WrittenClaim {
  id: string;
  /** `samples`, or a folder of the real PDF files. */
  set: string;
  doc: string;
  page?: number;
  /** Finds the passage: words that stand in it. */
  quote: string;
  sentence: string;
  kind: string;
  true: boolean;
  lang: 'en' | 'de' | 'fr' | 'es';
  /** By the document's name: methods may be tuned on the one half alone. */
  split: 'tuned' | 'apart';
}

/**
 * What a reader sees of the claim: a number behind it, that it was not checked, that nothing supports it, or nothing of
 * it.
 */
export type Outcome = 'number' | 'not checked' | 'no source' | 'not shown';

export interface Run {
  claim: WrittenClaim;
  form: Form;
  outcome: Outcome;
  /** Of plain text: the same where a faithful second reader is asked about what words leave open. */
  read?: Outcome;
}

export function report(runs: Run[], missing: number): string[] {
  const sentences = new Set(runs.map(({ claim }) => claim));
  const count = (isTrue: boolean) => [...sentences].filter((claim) => claim.true === isTrue).length;
  const inPlain = runs.filter(({ form }) => form === 'plain text');
  const groups = (title: string, of: (run: Run) => string) => [
    ...[true, false].flatMap((isTrue) =>
      [
        ...Map.groupBy(
          inPlain.filter(({ claim }) => claim.true === isTrue),
          of,
        ),
      ]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([name, some]) => row(isTrue ? 'true' : 'false', `${title}${name}`, some)),
    ),
  ];
  return [
    `${count(true)} true and ${count(false)} false sentences written by hand; ${missing} more stand in files that are not here or were read otherwise.`,
    'With a number: true ones that keep or regain it, false ones that are shown with one. The goals: true ones with a number or not checked ≥ 95 %, marked or not shown ≤ 2 %; false ones with a number ≤ 12 % overall and ≤ 20 % of any kind.',
    '',
    '| | kind | sentences | with a number | fitted on | kept apart | not checked | marked as without a source | not shown | with a faithful second reader |',
    '|---|---|---|---|---|---|---|---|---|---|',
    row(
      'true',
      '**all, plain text**',
      inPlain.filter(({ claim }) => claim.true),
    ),
    row(
      'false',
      '**all, plain text**',
      inPlain.filter(({ claim }) => !claim.true),
    ),
    ...groups('', ({ claim }) => claim.kind),
    ...groups('language: ', ({ claim }) => claim.lang),
    ...groups('set: ', ({ claim }) => claim.set),
    '',
    'The same sentences in other forms, against plain text:',
    '',
    '| form | sentences | true with a number | plain text | false with a number | plain text |',
    '|---|---|---|---|---|---|',
    ...forms.slice(1).map((form) => formRow(form, runs)),
  ];
}

function row(is: string, name: string, some: Run[]): string {
  const halves = (['tuned', 'apart'] as const).map((split) => share(some.filter(({ claim }) => claim.split === split)));
  const rest = (['not checked', 'no source', 'not shown'] as const).map((outcome) => share(some, outcome));
  const read = share(some.map((run) => ({ ...run, outcome: run.read ?? run.outcome })));
  return `| ${is} | ${name} | ${some.length} | ${[share(some), ...halves, ...rest, read].join(' | ')} |`;
}

/** Not all sentences have every form: plain text is counted over the same ones. */
function formRow(form: Form, runs: Run[]): string {
  const own = runs.filter((run) => run.form === form);
  const claims = new Set(own.map(({ claim }) => claim));
  const flat = runs.filter((run) => run.form === 'plain text' && claims.has(run.claim));
  const cells = [true, false].flatMap((isTrue) =>
    [own, flat].map((some) => share(some.filter(({ claim }) => claim.true === isTrue))),
  );
  return `| ${form} | ${claims.size} | ${cells.join(' | ')} |`;
}

function share(some: Run[], outcome: Outcome = 'number'): string {
  if (some.length === 0) return '–';
  return `${((some.filter((run) => run.outcome === outcome).length / some.length) * 100).toFixed(1)} %`;
}
