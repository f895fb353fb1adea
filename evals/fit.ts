/** Fitting of weights to labelled signals, by gradient descent (Adam, Kingma and Ba 2015) with a pull towards zero. */

type Signals<Name extends string> = Record<Name, number>;

/** Of one question all that may be chosen, and which of it is right. */
export interface Choice<Name extends string> {
  options: { signals: Signals<Name>; isRight: boolean }[];
}

const steps = 300;
const rate = 0.15;

/** Weights under which the right options are likely ones: the softmax of the sums is their probability. */
export function fitChoices<Name extends string>(choices: Choice<Name>[], names: Name[], pull = 3e-4): Signals<Name> {
  const usable = choices
    .filter(({ options }) => options.some(({ isRight }) => isRight) && options.some(({ isRight }) => !isRight))
    .map(({ options }) => ({
      x: Float64Array.from(options.flatMap(({ signals }) => names.map((name) => signals[name]))),
      isRight: options.map(({ isRight }) => isRight),
    }));
  const width = names.length;
  return named(names, (weights, gradient) => {
    for (const { x, isRight } of usable) {
      const odds = isRight.map((_, i) => dot(weights, x, i * width));
      const most = Math.max(...odds);
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
}

/**
 * Weights whose sum is the log odds that it is so.
 * @param cases each with what it counts beside the others
 */
export function fitOdds<Name extends string>(
  cases: { signals: Signals<Name>; isSo: boolean; weight: number }[],
  names: Name[],
  pull = 5e-4,
): Signals<Name> {
  const all = cases.reduce((sum, { weight }) => sum + weight, 0);
  const rows = cases.map(({ signals, isSo, weight }) => ({
    x: Float64Array.from(names.map((name) => signals[name])),
    isSo: isSo ? 1 : 0,
    share: weight / all,
  }));
  return named(names, (weights, gradient) => {
    for (const { x, isSo, share } of rows) {
      add(gradient, (1 / (1 + Math.exp(-dot(weights, x, 0))) - isSo) * share, x, 0);
    }
    add(gradient, pull, weights, 0);
  });
}

function named<Name extends string>(
  names: Name[],
  slopes: (weights: Float64Array, gradient: Float64Array) => void,
): Signals<Name> {
  const weights = new Float64Array(names.length);
  const first = new Float64Array(names.length);
  const second = new Float64Array(names.length);
  for (let step = 1; step <= steps; step++) {
    const gradient = new Float64Array(names.length);
    slopes(weights, gradient);
    for (const [k, slope] of gradient.entries()) {
      first[k] = 0.9 * (first[k] ?? 0) + 0.1 * slope;
      second[k] = 0.999 * (second[k] ?? 0) + 0.001 * slope * slope;
      const [mean, spread] = [(first[k] ?? 0) / (1 - 0.9 ** step), (second[k] ?? 0) / (1 - 0.999 ** step)];
      weights[k] = (weights[k] ?? 0) - (rate * mean) / (Math.sqrt(spread) + 1e-8);
    }
  }
  const fitted = {} as Signals<Name>;
  for (const [k, name] of names.entries()) fitted[name] = weights[k] ?? 0;
  return fitted;
}

function dot(weights: Float64Array, x: Float64Array, from: number): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += (weights[k] ?? 0) * (x[from + k] ?? 0);
  return sum;
}

function add(gradient: Float64Array, slope: number, x: Float64Array, from: number): void {
  for (let k = 0; k < gradient.length; k++) gradient[k] = (gradient[k] ?? 0) + slope * (x[from + k] ?? 0);
}
