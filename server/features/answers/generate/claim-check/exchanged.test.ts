import { expect, test } from 'vitest';
import { weigh } from '#server/features/retrieval/retrieval.ts';
import { fewOfEach } from '#server/testing/term-statistics.ts';
import type { QuotableBlock } from '../../extract/unit.ts';
import { unitsOf } from '../../extract/units.ts';
import { checkClaim } from '../entailment.ts';

function outcomeOf(claim: string, text: string): string {
  const common = { kind: 'paragraph', index: 0, start: 0, page: null, cells: null, header: false } as const;
  const block: QuotableBlock = { ...common, text };
  return checkClaim(claim, { above: '', units: unitsOf([block]) }, (each) => weigh(each, fewOfEach)).outcome;
}

const prefers =
  'The grant is booked as other revenue rather than a donation. The old pump was replaced with a steel one.';
const broker =
  'A broker may prepare manifests in the register for its generator clients. The printed guide has a large map of the office.';
const duty =
  'Security reviews may include a test. Only qualified staff may open the tank. The tool is useful for audits.';

test.each([
  [prefers, 'The grant is booked as other revenue instead of a donation.', true],
  [prefers, 'The grant is booked as a donation rather than other revenue.', false],
  [prefers, 'The steel pump was replaced with an old one.', false],
  [broker, 'Brokers may prepare manifests in the register for their generator clients.', true],
  [broker, 'Generators may prepare manifests in the register for their broker clients.', false],
  [broker, 'Manifests in the register may be prepared by a broker for its generator clients.', true],
  [broker, 'The register has a large map of the office.', false],
  ['Members are brokers, generators and carriers.', 'Members are carriers, generators and brokers.', true],
  ['Keys are kept in the safe; codes are kept in the office.', 'Codes are kept in the office; keys in the safe.', true],
])('"%s": words that stand in each other\'s place: "%s" %s', (text, claim, isHeld) => {
  expect(outcomeOf(claim, text) === 'supported').toBe(isHeld);
});

test.each([
  ['Security reviews may include a test.', true],
  ['Security reviews must include a test.', false],
  ['All staff may open the tank.', false],
  ['Unqualified staff may open the tank.', false],
  ['The tool is useless for audits.', false],
])('what may be is no must, some are not all, and a beginning turns a word: "%s" %s', (claim, isHeld) => {
  expect(outcomeOf(claim, duty) === 'supported').toBe(isHeld);
});

const year = 'In 2016, 25 firms reported revenues and 12 firms reported taxes. In 2015, 31 firms reported revenues.';
const cash =
  'Available cash was $367,402 in May. Revenues rose to 6.8 million euros (previous year: 5.2 million euros).';

test.each([
  [year, 'In 2016, 12 firms reported taxes.', true],
  [year, 'In 2016, 12 firms reported revenues and 25 firms reported taxes.', false],
  [year, 'In 2015, 12 firms reported taxes.', false],
  [cash, 'Available cash was about $367,000 in May.', true],
  [cash, 'Available cash was more than $367,000 in May.', true],
  [cash, 'Available cash was less than $367,000 in May.', false],
  [cash, 'Available cash was about $376,000 in May.', false],
  [cash, 'Revenues rose to 6.8 million euros from 5.2 million euros.', true],
  ['Fees of $5.6B were paid.', 'Fees of 5.6 billion dollars were paid.', true],
  ['The output is up to 2A.', 'The output is up to 2mA.', false],
])('"%s": a figure is of its own year, and may be rounded: "%s" %s', (text, claim, isHeld) => {
  expect(outcomeOf(claim, text) === 'supported').toBe(isHeld);
});

const changes =
  'Revenues rose to 6.8 million euros from 5.2 million euros. Costs fell to 3.1 million euros compared to 3.4 million euros.';
const inTurn =
  'Sales rose to 5 million euros in spring, and sales rose from 5 million euros to 7 million euros in summer. Fees rose by 4 percent and wages fell by 2 percent.';

test.each([
  [changes, 'Revenues rose from 5.2 million euros to 6.8 million euros.', true],
  [changes, 'Revenues rose from 6.8 million euros to 5.2 million euros.', false],
  [changes, 'Revenues rose from 6.8 million euros.', false],
  [changes, 'Revenues rose to about 5.2 million euros.', false],
  [changes, 'Revenues rose from about 6.8 million euros.', false],
  [changes, 'Costs fell from 3.4 million euros to 3.1 million euros.', true],
  [inTurn, 'Sales rose to 5 million euros in spring.', true],
  [inTurn, 'Sales rose from 5 million euros to 7 million euros in summer.', true],
  [inTurn, 'Fees rose by 4 percent.', true],
  [inTurn, 'Wages rose by 2 percent.', false],
  [inTurn, 'Fees rose to 4 percent.', false],
  // Only of what rises or falls does one of them exclude the other.
  ['Das Lager liegt in einem Haus auf 5 Etagen.', 'Das Lager liegt in einem Haus von 5 Etagen.', true],
  ['Die Kosten stiegen von 3 auf 5 Millionen Euro.', 'Die Kosten stiegen auf 3 Millionen Euro.', false],
  ['Die Kosten stiegen von 3 auf 5 Millionen Euro.', 'Die Kosten stiegen auf 5 Millionen Euro.', true],
])('"%s": what a rise began with, ended with or came to: "%s" %s', (text, claim, isHeld) => {
  expect(outcomeOf(claim, text) === 'supported').toBe(isHeld);
});

test('by how much two numbers of a sentence differ is no number that is not there', () => {
  expect(outcomeOf('Revenues rose by 1.6 million euros, to 6.8 million euros.', cash)).toBe('not-checked');
  expect(outcomeOf('Revenues rose by 1.7 million euros, to 6.8 million euros.', cash)).toBe('contradicted');
});

test('what is only asked, or holds on a condition, denies nothing', () => {
  const condition = 'If you do not have the knowledge in the office, hire someone with the knowledge for a season.';
  expect(outcomeOf('Someone with the knowledge is hired for a season.', condition)).not.toBe('contradicted');
  const asked = 'Do the officers know that they are not asked to award contracts of 50 million dollars?';
  expect(outcomeOf('Officers are asked to award contracts of 50 million dollars.', asked)).toBe('not-checked');
});

test('what a question asks about is not claimed: its years may stand beside other figures', () => {
  const margin =
    'In 2018, gross margin improved by 80 basis points to 40.0% from 39.2% in the full year 2017 benefiting from better parts, partially offset by price pressure.';
  const why =
    'In 2018, why did the gross margin improve from the year before: better parts, partially offset by pressure';
  expect(outcomeOf(why, margin)).toBe('supported');
  const interest =
    'Interest expense increased in fiscal 2019 compared to fiscal 2018 primarily due to notes of 10 million euros in November 2017, which was offset by repayments of 2 million euros of notes during fiscal 2019 and 6 million euros of notes during fiscal 2018.';
  const said =
    'Interest expense increased in fiscal 2019 primarily due to notes of 10 million euros in November 2017, which was offset by repayments of 2 million euros of notes during fiscal 2019';
  expect(outcomeOf(`Why did interest expense increase in fiscal 2019 compared to fiscal 2018: ${said}`, interest)).toBe(
    'supported',
  );
});

test.each([
  [
    'In 2018 the office had 5.6 million euros in revenues from mines; in 2017 it had planned for more.',
    'In 2017, the office had 5.6 million euros in revenues from mines.',
  ],
  [
    'Sales of pumps were 12 million euros in the year. The second quarter was the best for pumps.',
    'Sales of pumps were 12 million euros in the second quarter.',
  ],
  [
    'A broker must get a number from the office before it signs.',
    'Getting a number from the office is optional for brokers.',
  ],
  [
    'The request uses a list of goals instead of a list of tasks.',
    'The request uses a list of tasks rather than a list of goals.',
  ],
])('"%s" does not say: "%s"', (text, claim) => {
  expect(outcomeOf(claim, text)).toBe('not-checked');
});

test.each([
  [
    'In many towns the rules of the road are kept, which is all we ask.',
    'In many towns the rules of the road are kept.',
    true,
  ],
  [
    'In many towns the rules of the road are kept, which is all we ask.',
    'In all towns the rules of the road are kept.',
    false,
  ],
  ['Guests often stay for all of the summer.', 'Guests often stay for all of the summer.', true],
  ['Guests often stay for all of the summer.', 'Guests always stay for all of the summer.', false],
  ['In vielen Orten gelten alle Regeln.', 'In allen Orten gelten alle Regeln.', false],
])('what is so of some is not so of all, whatever else is said: "%s" "%s" %s', (text, claim, isHeld) => {
  expect(outcomeOf(claim, text) === 'supported').toBe(isHeld);
});

test.each([
  [
    'The new model has these differences from the old one:',
    'The new model has these differences from the old one.',
    true,
  ],
  [
    'The new model has these differences from the old one: A pump drives its wheel. A belt drives its saw.',
    'A pump drives the wheel of the new model.',
    true,
  ],
  [
    'The new model has these differences from the old one:',
    'The new model has a wooden wheel that the old one lacks.',
    false,
  ],
])('what leads up to something says nothing of it: "%s" "%s" %s', (text, claim, isHeld) => {
  expect(outcomeOf(claim, text) === 'supported').toBe(isHeld);
});

const moves =
  'The note will be taken off the board but will stay in the folder. Refuse guests by default and admit guests by invitation (that is, refuse all). The town moves from a paper register to a digital archive.';

test.each([
  ['The note is taken off the board but will stay in the folder.', true],
  ['A deleted note is taken off the folder but stays in the board.', false],
  ['Guests are admitted by default and refused by invitation.', false],
  ['The town moves from a paper register to a digital archive.', true],
  ['The town moves from a digital archive to a paper register.', false],
])('things that change places around a third, with other words beside them: "%s" %s', (claim, isHeld) => {
  expect(outcomeOf(claim, moves) === 'supported').toBe(isHeld);
});

test.each([
  ['The club pays its fees to members.', 'Members pay their fees to the club.'],
  ['Copper conducts heat better than silver.', 'Silver conducts heat better than copper.'],
  ['Filters need to be cleaned before pumps.', 'Pumps need to be cleaned before filters.'],
  ['Filters need to be cleaned after pumps.', 'Pumps need to be cleaned after filters.'],
  ['Oil is heated while water cools.', 'Water is heated while oil cools.'],
])('what stands on both sides of a small word has changed places: "%s" for "%s"', (claim, text) => {
  expect(outcomeOf(claim, text)).toBe('not-checked');
  expect(outcomeOf(text, text)).toBe('supported');
});
