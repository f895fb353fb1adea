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

/** Makes a collection, or changes one. */
export const saveCollection = mutationOptions({
  mutationFn: ({ collectionId, ...input }: CallInput<'createCollection'> & { collectionId?: string }) =>
    collectionId === undefined ? call('createCollection', input) : call('updateCollection', { ...input, collectionId }),
  onSettled: () => reloadCollections(),
});

export const deleteCollection = mutationOptions({
  mutationFn: (input: CallInput<'deleteCollection'>) => call('deleteCollection', input),
  onSettled: () => reloadCollections(),
});

/** Makes a group, or changes one. */
export const saveGroup = mutationOptions({
  mutationFn: ({ groupId, ...input }: CallInput<'createGroup'> & { groupId?: string }) =>
    groupId === undefined ? call('createGroup', input) : call('updateGroup', { ...input, groupId }),
  onSettled: () => queryClient.invalidateQueries(groupsQuery),
});

export const deleteGroup = mutationOptions({
  mutationFn: ({ groupId }: Group) => call('deleteGroup', { groupId }),
  onSettled: () => Promise.all([queryClient.invalidateQueries(groupsQuery), reloadCollections()]),
});

export async function reloadCollections(): Promise<void> {
  await queryClient.invalidateQueries(collectionsQuery);
}
