import { expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import type { QuotableBlock } from '../../extract/unit.ts';
import { unitsOf } from '../../extract/units.ts';
import { checkClaim } from '../entailment.ts';

function outcomeOf(claim: string, text: string): string {
  const block: QuotableBlock = {
    kind: 'paragraph',
    text,
    index: 0,
    start: 0,
    page: null,
    cells: null,
    header: false,
  };
  return checkClaim(claim, { above: '', units: unitsOf([block]) }, (each) => weigh(each, fewOfEach)).outcome;
}

const said = {
  en: 'A deviation of more than 15 minutes is reported to the customer within two hours.',
  de: 'Eine Abweichung von mehr als 15 Minuten wird dem Kunden innerhalb von zwei Stunden gemeldet.',
  fr: 'Un écart de plus de 15 minutes est signalé au client dans un délai de deux heures.',
  es: 'Una desviación de más de 15 minutos se comunica al cliente en un plazo de dos horas.',
};

test.each([
  // Why, and what for.
  ['en', 'because of new regulations'],
  ['en', 'to protect the environment'],
  ['de', 'wegen neuer Vorschriften'],
  ['fr', 'en raison de nouvelles règles'],
  ['es', 'debido a nuevas normas'],
  // Where, and how far it holds.
  ['en', 'in all countries'],
  ['en', 'in the southern region'],
  ['en', 'worldwide'],
  ['de', 'in allen Ländern'],
  ['de', 'in der Filiale Bremen'],
  ['fr', 'dans tous les pays'],
  ['es', 'en todas las oficinas'],
  // Who.
  ['en', 'according to the finance director'],
  ['en', 'and to the insurer'],
  ['de', 'laut dem Finanzvorstand'],
  // How, and how often.
  ['en', 'by registered letter'],
  ['en', 'free of charge'],
  ['en', 'without exception'],
  ['en', 'every quarter'],
  ['de', 'kostenlos'],
  ['de', 'per Einschreiben'],
  ['fr', 'par lettre recommandée'],
  ['es', 'cada trimestre'],
  // When.
  ['en', 'for the first time'],
  ['en', 'only in exceptional cases'],
  ['de', 'zum ersten Mal'],
  ['fr', 'pour la première fois'],
  ['es', 'por primera vez'],
] as const)('a detail that the sentence does not have leaves a copy of it open: %s, "%s"', (language, detail) => {
  const text = said[language];
  expect(outcomeOf(text, text)).toBe('supported');
  expect(outcomeOf(text.replace(/\.$/, ` ${detail}.`), text)).not.toBe('supported');
});

test.each([
  'A serious deviation of more than 15 minutes is reported to the customer within two hours.',
  'A deviation of more than 15 minutes is reported to the customer and the police within two hours.',
  'A deviation of more than 15 minutes, which is a record, is reported to the customer within two hours.',
  'A deviation of more than 15 minutes is usually reported to the customer within two hours.',
  'A deviation of more than 15 minutes in a week is reported to the customer within two hours.',
])('the same in the middle of it: "%s"', (claim) => {
  expect(outcomeOf(claim, said.en)).not.toBe('supported');
});

test.each([
  'Deviations of more than 15 minutes have to be reported to the customer within two hours.',
  'A deviation lasting more than 15 minutes is reported to the customer within two hours.',
  'Within two hours, deviations of more than 15 minutes must be reported to the customer.',
  'The customer receives a report of deviations of more than 15 minutes within two hours.',
])('other words for the same do not: "%s"', (claim) => {
  expect(outcomeOf(claim, said.en)).toBe('supported');
});

test('a time in other words is no new one', () => {
  const text = 'After ten wrong attempts within 12 months the account is locked for 30 minutes.';
  expect(outcomeOf('After ten wrong attempts within a year the account is locked for half an hour.', text)).toBe(
    'supported',
  );
});

test('what a sentence says of how far and why it holds may be said in another way', () => {
  const text = 'Owing to the flood, all branches were closed at once, for the first time since 1990.';
  expect(outcomeOf('Because of the flood every branch was closed immediately.', text)).toBe('supported');
});

test.each([
  ['Orders rose by 119 pieces, from 1,501 to 1,620 pieces.', 'Orders rose to 1,620 pieces.', true],
  ['Orders rose by 119 pieces, from 1,501 to 1,620 pieces.', 'Orders rose by 1,620 pieces.', false],
  ['In 2024 37 states received payments.', 'In 2024 37 counties received payments.', false],
  ['The penalty is limited to 500 euros.', 'The penalty is not limited.', false],
  ['The programme trained 37 nurses last year.', 'The programme trained 37 teachers last year.', false],
  [
    'Die Anlage wird jährlich geprüft und gewartet, immer im Mai.',
    'Die Anlage wird jährlich geprüft und gewartet für Großkunden.',
    false,
  ],
  ['The deposit is at least 300 euros.', 'The deposit is at most 300 euros.', false],
  ['The cleaning costs 20 euros per crate.', 'The cleaning costs 20 euros per guest.', false],
  ['For the cleaning 20 euros per crate are paid.', 'The cleaning costs 20 euros for each crate.', true],
  ['The lessor pays for repairs.', 'The lessee pays for repairs.', false],
  ['The branch was closed, and the reason was the flood.', 'The branch was closed because of the flood.', true],
  [
    'A deviation of more than 15 minutes is reported to the customer; the carrier pays a fine.',
    'A deviation of more than 15 minutes is reported to the customer insurance.',
    false,
  ],
  ['AppleTalk was a protocol of 1985.', 'What was Apple Talk: a protocol of 1985', true],
  ['None of the five treaties mentions it.', 'How many of the five treaties mention it: none', true],
  [
    'In the fourth quarter of 2018 the board approved the plan.',
    'The plan was approved in the third quarter of 2018.',
    false,
  ],
])('"%s": "%s" %s', (text, claim, isHeld) => {
  expect(outcomeOf(claim, text) === 'supported').toBe(isHeld);
});
