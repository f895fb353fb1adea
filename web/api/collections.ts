import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

/** Documents that the same people see. */
export type Collection = CallOutput<'listCollections'>[number];
/** People, for whom collections can be restricted. */
export type Group = CallOutput<'listGroups'>[number];

/** Those that one sees, the company's own first. */
export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: ({ signal }) => call('listCollections', null, { signal }),
});

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call('listGroups', null, { signal }),
});

// Each is done when the lists that are on the screen have been read again: what was made would not exist on its own
// page until then, and what was deleted would still be offered.

/** Makes a collection, or changes one. */
export const saveCollection = mutationOptions({
  mutationFn: ({ collectionId, ...input }: CallInput<'createCollection'> & { collectionId?: string }) =>
    whenRead(
      collectionId === undefined
        ? call('createCollection', input)
        : call('updateCollection', { ...input, collectionId }),
      reloadCollections,
    ),
});

export const deleteCollection = mutationOptions({
  mutationFn: (input: CallInput<'deleteCollection'>) => whenRead(call('deleteCollection', input), reloadCollections),
});

/** Makes a group, or changes one. */
export const saveGroup = mutationOptions({
  mutationFn: ({ groupId, ...input }: CallInput<'createGroup'> & { groupId?: string }) =>
    whenRead(
      groupId === undefined ? call('createGroup', input) : call('updateGroup', { ...input, groupId }),
      reloadGroups,
    ),
});

export const deleteGroup = mutationOptions({
  mutationFn: ({ groupId }: Group) =>
    whenRead(call('deleteGroup', { groupId }), () => Promise.all([reloadGroups(), reloadCollections()])),
});

export async function reloadCollections(): Promise<void> {
  await queryClient.invalidateQueries(collectionsQuery);
}

async function reloadGroups(): Promise<void> {
  await queryClient.invalidateQueries(groupsQuery);
}

/** Also after a change that was refused: somebody else may have made another one. */
async function whenRead<Result>(change: Promise<Result>, reload: () => Promise<unknown>): Promise<Result> {
  try {
    return await change;
  } finally {
    await reload();
  }
}
