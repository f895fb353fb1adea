import { expect, test } from 'vitest';
import { isSame, readText } from './facts.ts';
import type { Language } from './language.ts';

/** What is counted or measured in a text: `time 4320` for three days. */
function quantitiesOf(text: string, language: Language = 'en'): string[] {
  return readText(text, language).facts.flatMap(({ quantity }) =>
    quantity ? [`${quantity.of} ${Number((quantity.values[0] ?? 0).toPrecision(6))}`] : [],
  );
}

test.each([
  ['It draws 0.25 A.', 'It draws 250mA.', true],
  ['It draws 0.25 A.', 'It draws 25mA.', false],
  ['It takes 1.5 kW.', 'It takes 1500 W.', true],
  ['It takes 1.5 kWh.', 'It takes 0.0015 MWh.', true],
  ['It draws 2 A at most.', 'It draws 2000 mA.', true],
  ['It takes 1.5 MW.', 'It takes 1500 W.', false],
  ['It takes 3 MW.', 'It takes 3 mW.', false],
  ['It sends at 2.4 GHz.', 'It sends at 2400 MHz.', true],
  ['It holds 2 mL.', 'It holds 0.002 l.', true],
  ['It is 40 µm thick.', 'It is 0.04 mm thick.', true],
  ['It stores 2 TB.', 'It stores 2000 GB.', true],
  ['It stores 2 Ah.', 'It stores 2000mAh.', true],
])('a measure is the same with another letter before its unit: "%s" and "%s" %s', (one, other, same) => {
  const [asked, there] = [readText(one, 'en').facts[0], readText(other, 'en').facts[0]];
  expect(asked && there && isSame(asked, there)).toBe(same);
});

test.each([
  ['At 5 pm it is shut.', []],
  ['See step 2 A New Start.', ['count 2']],
])('letters that are no unit: "%s"', (text, expected) => {
  expect(quantitiesOf(text).filter((each) => /^(?:current|length|count)/.test(each))).toEqual(expected);
});

test.each([
  ['It waits 5, 10, or 20 days.', 'en', ['time 7200', 'time 14400', 'time 28800']],
  ['It waits "5", "10", "15", and "20" hours.', 'en', ['time 300', 'time 600', 'time 900', 'time 1200']],
  ['Sie wartet 5, 10 oder 20 Tage.', 'de', ['time 7200', 'time 14400', 'time 28800']],
  // A comma alone, or one before the last of two, joins nothing.
  ['As in figure 3, and 20 percent more.', 'en', ['count 3', 'percent 20']],
  ['As in figure 3, 20 percent more.', 'en', ['count 3', 'percent 20']],
] as const)('the unit behind a list is that of all its numbers: "%s"', (text, language, expected) => {
  expect(quantitiesOf(text, language)).toEqual(expected);
});

test.each([
  ['It holds for a year and a half.', 'en', ['months 18']],
  ['Es gilt ein Jahr und ein halbes.', 'de', ['months 18']],
  ['Cela vaut une année et demie.', 'fr', ['months 18']],
  ['It holds for a year.', 'en', []],
] as const)('an article counts one where a half comes to it: "%s"', (text, language, expected) => {
  expect(quantitiesOf(text, language)).toEqual(expected);
});

test.each([
  ['It would be 172K USD.', ['USD 172000']],
  ['It had 10k+ guests, and 5k on site.', ['count 10000', 'count 5000']],
  ['It is kept at 300 K.', ['count 300']],
])('letters that count thousands: "%s"', (text, expected) => {
  expect(quantitiesOf(text)).toEqual(expected);
});
