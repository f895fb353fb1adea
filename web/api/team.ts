import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import { reloadSession } from './session.ts';

/** Someone of the company, or invited into it. */
export type Person = CallOutput<'listUsers'>[number];

const key = ['team'];

/** Everyone in the company, invited people among them. */
export function useTeam(): UseQueryResult<Person[]> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('listUsers', null, { signal }),
    // Invitations are accepted elsewhere; and one's own role may change while the page is open, which the call finds out.
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
  });
}

/** Reads the list again, and with it the seats that the session tells. */
export async function reloadTeam(): Promise<void> {
  // The number of seats is read again by the next page if it can't be now.
  reloadSession().catch(() => {});
  await queryClient.invalidateQueries({ queryKey: key });
}

/** Takes a person off the list before the server tells. */
export function dropPerson(uid: string): void {
  update((people) => people.filter((person) => person.uid !== uid));
}

/** Shows a change that the server has confirmed, before the list is read again. */
export function changePerson(uid: string, change: Partial<Person>): void {
  update((people) => people.map((person) => (person.uid === uid ? { ...person, ...change } : person)));
}

function update(change: (people: readonly Person[]) => Person[]): void {
  queryClient.setQueryData<Person[]>(key, (people) => people && change(people));
}
