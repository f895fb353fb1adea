import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { call, messageOf } from './call.ts';
import { queryClient, showChanged } from './query-client.ts';
import { reloadSession } from './session.ts';

/** Someone of the company, or invited into it. */
export type Person = CallOutput<'listUsers'>[number];
export type InviteResult = CallOutput<'inviteUsers'>['results'][number];

/** Everyone in the company, invited people among them. */
export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => call('listUsers', null, { signal }),
  // Invitations are accepted elsewhere; and one's own role may change while the page is open, which the call finds out.
  refetchInterval: 60_000,
  refetchOnWindowFocus: true,
});

/** Invites one person. */
export const invite = mutationOptions({
  mutationFn: async (input: CallInput<'inviteUser'>) => {
    const answer = await call('inviteUser', input);
    void reloadTeam();
    return answer;
  },
});

/** So many at once: each batch is answered well before the browser would give up, and tells how far it is. */
const batch = 25;

interface InviteMany {
  emails: readonly string[];
  role: Person['role'];
  /** Told how many have been sent. */
  onProgress: (done: number) => void;
}

/** Invites many people, and says what became of each. Fails only where the session has ended. */
export const inviteMany = mutationOptions({
  mutationFn: async ({ emails, role, onProgress }: InviteMany): Promise<InviteResult[]> => {
    const results: InviteResult[] = [];
    try {
      for (let from = 0; from < emails.length; from += batch) {
        onProgress(from);
        results.push(...(await call('inviteUsers', { emails: emails.slice(from, from + batch), role })).results);
      }
    } catch (error) {
      // What has been sent is sent: the rest is told apart, so that it can be pasted again.
      if (error instanceof AppError && error.code === 'session-expired') throw error;
      const message = messageOf(error, 'Not sent. Please try again.');
      results.push(...emails.slice(results.length).map((email) => ({ email, invited: false, message })));
    }
    return results;
  },
  onSettled: () => void reloadTeam(),
});

/** Sends an invitation once more. */
export const resendInvitation = mutationOptions({
  mutationFn: ({ uid }: Person) => call('resendInvitation', { uid }),
});

/** Takes an invitation back. */
export const withdrawInvitation = mutationOptions({
  mutationFn: async ({ uid }: Person) => {
    const answer = await call('withdrawInvitation', { uid });
    await dropPerson(uid);
    return answer;
  },
});

/** Makes somebody an admin, or a member. */
export const setRole = mutationOptions({
  mutationFn: async ({ person: { uid }, role }: { person: Person; role: Person['role'] }) => {
    const answer = await call('setUserRole', { uid, role });
    await changePerson(uid, { role });
    return answer;
  },
});

/** Takes the second factor from somebody who has lost it. */
export const resetSecondFactor = mutationOptions({
  mutationFn: async ({ uid }: Person) => {
    const answer = await call('resetSecondFactor', { uid });
    await changePerson(uid, { hasSecondFactor: false });
    return answer;
  },
});

/** Removes somebody. Several may be on their way at once: `useMutationState` knows them by the key. */
export const removePerson = mutationOptions({
  mutationKey: ['remove-person'],
  mutationFn: async ({ uid }: Person) => {
    await call('deleteUser', { userIdToDelete: uid });
    await dropPerson(uid);
  },
});

/** Reads the list again, and with it the seats that the session tells. */
export async function reloadTeam(): Promise<void> {
  // The number of seats is read again by the next page if it can't be now.
  reloadSession().catch(() => {});
  await queryClient.invalidateQueries(teamQuery);
}

/** Takes a person off the list before the server tells. */
function dropPerson(uid: string): Promise<void> {
  return showChanged(teamQuery, (people) => people.filter((person) => person.uid !== uid));
}

/** Shows a change that the server has confirmed, before the list is read again. */
function changePerson(uid: string, change: Partial<Person>): Promise<void> {
  return showChanged(teamQuery, (people) =>
    people.map((person) => (person.uid === uid ? { ...person, ...change } : person)),
  );
}
