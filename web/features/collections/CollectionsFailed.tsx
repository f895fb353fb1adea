import { useQuery } from '@tanstack/react-query';
import { messageOf } from '#web/api/call.ts';
import { collectionsQuery } from '#web/api/collections.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { notices } from './notices.ts';

/** In the place of a choice of collections, where they could not be loaded: without it there would seem to be none. */
export function CollectionsFailed() {
  const { data, error, refetch } = useQuery(collectionsQuery);
  if (data || !error) return null;
  return <LoadFailed retry={refetch}>{messageOf(error, notices.notLoaded)}</LoadFailed>;
}
