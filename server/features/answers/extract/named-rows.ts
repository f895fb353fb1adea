import { asksAmount } from '#server/features/retrieval/question/asks-amount.ts';
import type { Measures } from '#server/features/retrieval/question/coverage.ts';
import { type Question, termsFor } from '#server/features/retrieval/retrieval.ts';
import { createPause } from '#server/lib/pause.ts';
import type { Unit, UnitRow } from './unit.ts';
import { bareLabel, labelOf } from './unit-shape.ts';
import { createNamePlaces, isWeakTerm, type NamePlace } from './whole-names.ts';

/** Which rows a question names by their labels. */
export interface NamedRows {
  /** By the whole label, and what it asks for is an amount, which the row has; */
  named: ReadonlySet<Unit>;
  /** or the label has words of another row's name, and nothing else of the question. */
  partlyNamed: ReadonlySet<Unit>;
}

interface Row {
  passage: { language: string | null };
  unit: Unit;
}

interface Named {
  unit: Unit;
  /** Terms of the label, and of what stands over it where the question has both. */
  terms: readonly string[];
  place: NamePlace | null;
}

/**
 * Of rows, those whose label the question has as a whole, by itself or with the label that it stands below: "the
 * federal income tax rate" asks for the row of that name, and not for "Change in federal income tax rate". A name that
 * is a part of another row's name there names nothing.
 */
export async function namedRows(
  question: Question,
  questionText: string,
  weighed: readonly Row[],
  { hits }: Pick<Measures, 'hits'>,
): Promise<NamedRows> {
  const placeOf = createNamePlaces(question, questionText);
  const known = new Map<string, Omit<Named, 'unit'>>();
  const pause = createPause();
  const rows: Named[] = [];
  for (const { passage, unit } of weighed) {
    if (unit.row) rows.push({ unit, ...read(unit.row, passage.language) });
    // A question and a table may be of hundreds of words each.
    await pause();
  }
  const places = new Set(rows.flatMap(({ place }) => place ?? []));
  const whole = rows.filter(({ place }) => place && ![...places].some((other) => isPartOf(place, other)));
  const ofNames = new Set(whole.flatMap(({ terms }) => asked(terms)));
  const units = new Set(whole.map(({ unit }) => unit));
  const partly: Named[] = [];
  for (const row of rows) {
    const own = new Set(asked(row.terms));
    if (!units.has(row.unit) && own.size > 0 && own.isSubsetOf(ofNames)) partly.push(row);
    await pause();
  }
  return {
    named: new Set(asksAmount(questionText) ? [...units].filter(({ row }) => row && hasAmount(row)) : []),
    partlyNamed: new Set(partly.map(({ unit }) => unit)),
  };

  /** The question's terms that those of a label stand for. */
  function asked(terms: readonly string[]): string[] {
    return terms.flatMap((term) => hits(term).map(([each]) => each)).filter((term) => !isWeakTerm(term));
  }

  /** Many rows of a company have the same label, and are looked for once. */
  function read(row: UnitRow, language: string | null): Omit<Named, 'unit'> {
    const label = labelOf(row);
    const above = row.parents?.at(-1);
    const key = JSON.stringify([language, label, above]);
    const before = known.get(key);
    if (before) return before;
    const found = namesOf(row)
      .map((name) => termsFor(question, name, language))
      .map((terms) => ({ terms, place: placeOf(terms) }))
      .find(({ place }) => place !== null);
    const own = found ?? { terms: termsFor(question, label, language), place: null };
    known.set(key, own);
    return own;
  }
}

/**
 * The first passages of which a row has an amount and a label that the question names as a whole, however many other
 * rows do.
 * @param max so many at most
 */
export async function withNamedRow<Read extends { passage: { language: string | null }; units: readonly Unit[] }>(
  question: Question,
  questionText: string,
  passages: readonly Read[],
  max: number,
): Promise<Read[]> {
  const placeOf = createNamePlaces(question, questionText);
  const pause = createPause();
  const found: Read[] = [];
  for (const each of passages) {
    if (found.length < max && (await hasNamedRow(each))) found.push(each);
  }
  return found;

  async function hasNamedRow({ passage: { language }, units }: Read): Promise<boolean> {
    for (const { row } of units) {
      // A passage may be of a hundred rows, and each is compared with every word of the question.
      await pause();
      if (!row || !hasAmount(row)) continue;
      if (namesOf(row).some((name) => placeOf(termsFor(question, name, language)) !== null)) return true;
    }
    return false;
  }
}

/**
 * What a row may be called: by its label and what that stands below, or alone, each without what is in brackets, too.
 */
function namesOf(row: UnitRow): string[] {
  const label = labelOf(row);
  const above = row.parents?.at(-1);
  const names = above === undefined || above === label ? [label] : [`${label} ${above}`, label];
  return names.flatMap((name) => [bareLabel(name), name]);
}

/** A rubric of a statement has none, or noughts. */
function hasAmount({ cells }: UnitRow): boolean {
  return cells.slice(1).some((cell) => /[1-9]/.test(cell));
}

/** Whether one is a part of the other. */
function isPartOf(one: NamePlace, other: NamePlace): boolean {
  return other.start <= one.start && one.end <= other.end && other.end - other.start > one.end - one.start;
}
