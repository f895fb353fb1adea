import { useQuery } from '@tanstack/react-query';
import { collectionsQuery, groupsQuery } from '#web/api/collections.ts';
import { teamQuery } from '#web/api/team.ts';

/**
 * Collections with the people and groups for whom they can be restricted: pending until all are there, since who sees a
 * collection is said by their names.
 */
export function useCollections() {
  const queries = [useQuery(collectionsQuery), useQuery(teamQuery), useQuery(groupsQuery)] as const;
  const [{ data: collections = [] }, { data: people = [] }, { data: groups = [] }] = queries;
  return {
    collections,
    people,
    groups,
    isPending: queries.some(({ isPending }) => isPending),
    /** Of the first that did not come and is not there from before; null: none. */
    error: queries.find(({ data, error }) => data === undefined && error)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of queries) if (error) void refetch();
    },
  };
}
