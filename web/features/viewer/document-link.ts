import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';

interface Original {
  path: string;
  bucket: string;
}

/** A link ends after ten minutes; it is replaced before. */
const lifetime = 8 * 60_000;

/** For `useQuery` and `fetchQuery`: a link to a version's original that is valid now. */
export function linkQuery({ path, bucket }: Original, version: number) {
  return {
    queryKey: ['link', bucket, path, version],
    queryFn: async () => (await call('getFileLink', { gsUri: gsUri({ path, bucket }), version })).url,
    staleTime: lifetime,
    refetchInterval: lifetime,
    refetchOnWindowFocus: true,
  };
}

export function currentLink(original: Original, version: number): Promise<string> {
  return queryClient.fetchQuery(linkQuery(original, version));
}

/**
 * Opens a file's original in a new tab.
 * @throws AppError as every call; Error when the browser lets no tab open
 */
export async function openOriginal(original: Original): Promise<void> {
  // Before the call: afterwards the browser would take the tab for a pop-up, and block it.
  const tab = window.open('', '_blank');
  if (!tab) throw new Error('The browser blocked the tab.');
  tab.opener = null;
  try {
    const { url } = await call('getFileLink', { gsUri: gsUri(original) });
    tab.location.replace(url);
  } catch (error) {
    tab.close();
    throw error;
  }
}

function gsUri({ path, bucket }: Original): string {
  return `gs://${bucket}/${path}`;
}
