import { expect, test } from 'vitest';
import type { Person } from '#web/api/team.ts';
import { expiryText, hasExpired, invitationText, peopleText, seatsTaken, seatsText } from './people.ts';

const now = new Date(2026, 10, 21, 12, 0);
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();
const person = (change: Partial<Person> = {}): Person => ({
  uid: 'u',
  email: 'lea@x.example',
  role: 'member',
  state: 'active',
  ...change,
});
const open = person({
  state: 'invited',
  invitedAt: at(2026, 10, 21, 9, 14),
  invitationExpiresAt: at(2026, 10, 28, 9, 14),
});
const over = person({
  state: 'expired',
  invitedAt: at(2026, 10, 12, 9, 14),
  invitationExpiresAt: at(2026, 10, 19, 9, 14),
});
/** Still called open in a list that was read before its end. */
const justOver = person({ state: 'invited', invitationExpiresAt: at(2026, 10, 21, 11, 59) });

test('an invitation that has expired gives its seat back, also after the list was read', () => {
  expect(seatsTaken([person(), open, over, justOver], now)).toBe(2);
  expect([person(), open, over, justOver].map((each) => hasExpired(each, now))).toEqual([false, false, true, true]);
});

test('seats with and without a limit', () => {
  expect([seatsText(7, 10), seatsText(1, null), seatsText(4, null)]).toEqual(['7 of 10 seats', '1 person', '4 people']);
});

test('who is invited is no person yet, and an invitation that has expired is nothing', () => {
  expect(peopleText([person(), over, justOver], now)).toBe('1 person');
  expect(peopleText([person(), person(), open, over], now)).toBe('2 people · 1 open invitation');
  expect(peopleText([person(), open, open], now)).toBe('1 person · 2 open invitations');
});

test('invitations in words', () => {
  const words = (each: Person) => [invitationText(each, now, 'en-GB'), expiryText(each, now, 'en-GB')];
  expect(words(person())).toEqual([null, null]);
  expect(words(open)).toEqual(['Invited today, 09:14', 'Expires 28 Nov 2026']);
  expect(words(over)).toEqual(['Invitation expired', 'Expired 19 Nov 2026']);
  expect(words(justOver)).toEqual(['Invitation expired', 'Expired today, 11:59']);
  expect(words(person({ state: 'invited' }))).toEqual(['Invited', null]);
});
