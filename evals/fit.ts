/** Fitting of weights to labelled signals, by gradient descent (Adam, Kingma and Ba 2015) with a pull towards zero. */

type Signals<Name extends string> = Record<Name, number>;

/** Of one question all that may be chosen, and which of it is right. */
export interface Choice<Name extends string> {
  options: { signals: Signals<Name>; isRight: boolean }[];
}

const steps = 300;
const rate = 0.15;
/** A signal that hardly varies is not made more of than this. */
const minSpread = 0.02;

/**
 * Weights under which the right options are likely ones: the softmax of the sums is their probability.
 * @param fixed what is not to be fitted, with its weight
 */
export function fitChoices<Name extends string>(
  choices: Choice<Name>[],
  names: readonly Name[],
  { pull = 3e-4, fixed = {} }: { pull?: number; fixed?: Partial<Signals<Name>> } = {},
): Signals<Name> {
  const free = names.filter((name) => fixed[name] === undefined);
  const usable = choices
    .filter(({ options }) => options.some(({ isRight }) => isRight) && options.some(({ isRight }) => !isRight))
    .map(({ options }) => ({
      x: Float64Array.from(options.flatMap(({ signals }) => free.map((name) => signals[name]))),
      given: options.map(({ signals }) =>
        names.reduce((sum, name) => sum + (fixed[name] === undefined ? 0 : fixed[name] * signals[name]), 0),
      ),
      isRight: options.map(({ isRight }) => isRight),
    }));
  const scale = toOneSpread(
    usable.map(({ x }) => x),
    free.length,
  );
  const width = free.length;
  const fitted = descend(width, (weights, gradient) => {
    for (const { x, given, isRight } of usable) {
      const odds = given.map((sum, i) => sum + dot(weights, x, i * width));
      const most = odds.reduce((one, other) => Math.max(one, other));
      let all = 0;
      let right = 0;
      for (let i = 0; i < odds.length; i++) {
        const each = Math.exp((odds[i] ?? 0) - most);
        odds[i] = each;
        all += each;
        if (isRight[i]) right += each;
      }
      for (let i = 0; i < odds.length; i++) {
        const slope = ((odds[i] ?? 0) * (1 / all - (isRight[i] ? 1 / right : 0))) / usable.length;
        add(gradient, slope, x, i * width);
      }
    }
    add(gradient, pull, weights, 0);
  });
  return named(names, (name) => fixed[name] ?? (fitted[free.indexOf(name)] ?? 0) * (scale[free.indexOf(name)] ?? 0));
}

/**
 * Weights whose sum is the log odds that it is so.
 * @param cases each with what it counts beside the others
 */
export function fitOdds<Name extends string>(
  cases: { signals: Signals<Name>; isSo: boolean; weight: number }[],
  names: readonly Name[],
  pull = 5e-4,
): Signals<Name> {
  const all = cases.reduce((sum, { weight }) => sum + weight, 0);
  const rows = cases.map(({ signals, isSo, weight }) => ({
    x: Float64Array.from(names.map((name) => signals[name])),
    isSo: isSo ? 1 : 0,
    share: weight / all,
  }));
  const scale = toOneSpread(
    rows.map(({ x }) => x),
    names.length,
  );
  const fitted = descend(names.length, (weights, gradient) => {
    for (const { x, isSo, share } of rows) {
      add(gradient, (1 / (1 + Math.exp(-dot(weights, x, 0))) - isSo) * share, x, 0);
    }
    add(gradient, pull, weights, 0);
  });
  return named(names, (_, k) => (fitted[k] ?? 0) * (scale[k] ?? 0));
}

/**
 * Brings every signal to the same spread, so that the pull is as strong for one as for another.
 * @param rows so many signals of each option after another; changed
 * @returns what each was multiplied by
 */
function toOneSpread(rows: Float64Array[], width: number): Float64Array {
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  let count = 0;
  for (const x of rows) {
    for (const [i, value] of x.entries()) {
      sums[i % width] = (sums[i % width] ?? 0) + value;
      squares[i % width] = (squares[i % width] ?? 0) + value * value;
    }
    count += x.length / width;
  }
  const scale = squares.map((square, k) => {
    const mean = (sums[k] ?? 0) / count;
    return 1 / Math.max(minSpread, Math.sqrt(Math.max(0, square / count - mean * mean)));
  });
  for (const x of rows) for (const [i, value] of x.entries()) x[i] = value * (scale[i % width] ?? 1);
  return scale;
}

function descend(width: number, slopes: (weights: Float64Array, gradient: Float64Array) => void): Float64Array {
  const weights = new Float64Array(width);
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  for (let step = 1; step <= steps; step++) {
    const gradient = new Float64Array(width);
    slopes(weights, gradient);
    for (const [k, slope] of gradient.entries()) {
      first[k] = 0.9 * (first[k] ?? 0) + 0.1 * slope;
      second[k] = 0.999 * (second[k] ?? 0) + 0.001 * slope * slope;
      const [mean, spread] = [(first[k] ?? 0) / (1 - 0.9 ** step), (second[k] ?? 0) / (1 - 0.999 ** step)];
      weights[k] = (weights[k] ?? 0) - (rate * mean) / (Math.sqrt(spread) + 1e-8);
    }
  }
  return weights;
}

function named<Name extends string>(names: readonly Name[], of: (name: Name, k: number) => number): Signals<Name> {
  const weights = {} as Signals<Name>;
  for (const [k, name] of names.entries()) weights[name] = of(name, k);
  return weights;
}

function dot(weights: Float64Array, x: Float64Array, from: number): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += (weights[k] ?? 0) * (x[from + k] ?? 0);
  return sum;
}

function add(gradient: Float64Array, slope: number, x: Float64Array, from: number): void {
  for (let k = 0; k < gradient.length; k++) gradient[k] = (gradient[k] ?? 0) + slope * (x[from + k] ?? 0);
}
