import { messages } from '#contract/messages.ts';
import type { Person } from '#web/api/team.ts';
import { formatMoment } from '#web/lib/format.ts';
import { words } from './words.ts';

export const roleNames: Record<Person['role'], string> = {
  admin: messages.chat.admin,
  member: messages.chat.member,
};

/** Seats taken: people and open invitations. One that has expired has given its seat back. */
export function seatsTaken(people: readonly Person[], now = new Date()): number {
  return people.filter((person) => person.state === 'active' || !hasExpired(person, now)).length;
}

/** Whether an invitation is over, also when it ended after the list was read. */
export function hasExpired({ state, invitationExpiresAt }: Person, now = new Date()): boolean {
  if (state === 'active') return false;
  return state === 'expired' || (invitationExpiresAt !== undefined && new Date(invitationExpiresAt) <= now);
}

/** `7 of 10 seats`; without a limit `7 people`. */
export function seatsText(taken: number, seats: number | null): string {
  if (seats !== null) return words.seatsOf(taken, seats);
  return words.people(taken);
}

/** `7 people · 1 open invitation`: who is invited is not in yet. */
export function peopleText(people: readonly Person[], now = new Date()): string {
  const active = people.filter(({ state }) => state === 'active').length;
  const invited = seatsTaken(people, now) - active;
  const persons = seatsText(active, null);
  if (invited === 0) return persons;
  return `${persons} · ${words.openInvitations(invited)}`;
}

/** Where an invitation stands: `Invited today, 09:14`; null for who has come in. */
export function invitationText(person: Person, now = new Date(), locale?: string): string | null {
  if (person.state === 'active') return null;
  if (hasExpired(person, now)) return words.invitationExpired;
  return person.invitedAt === undefined ? words.invited : words.invitedAt(formatMoment(person.invitedAt, now, locale));
}

/** Until when an invitation holds, or since when it does not. */
export function expiryText(person: Person, now = new Date(), locale?: string): string | null {
  if (person.invitationExpiresAt === undefined) return null;
  const moment = formatMoment(person.invitationExpiresAt, now, locale);
  return hasExpired(person, now) ? words.expired(moment) : words.expires(moment);
}
