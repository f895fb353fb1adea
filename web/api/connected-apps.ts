import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { leaveFor } from '#web/lib/location.ts';
import { call } from './call.ts';
import { showChanged } from './query-client.ts';

/** An app that the person has connected. */
export type ConnectedApp = CallOutput<'listConnectedApps'>[number];
/** An app that wants to be. */
export type AppRequest = CallOutput<'getAppRequest'>;

export const connectedAppsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: ({ signal }) => call('listConnectedApps', null, { signal }),
  // Apps are connected in other tabs, and used elsewhere.
  refetchOnWindowFocus: true,
  staleTime: 0,
});

export const appRequestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['app-request', requestId],
    queryFn: ({ signal }) => call('getAppRequest', { requestId }, { signal }),
  });

/** Tells the app yes or no, and goes back to it. */
export const answerApp = mutationOptions({
  mutationFn: async ({ requestId, allowed }: { requestId: string; allowed: boolean }) => {
    const { url } = await call(allowed ? 'allowApp' : 'refuseApp', { requestId });
    await leaveFor(url, '/chat');
  },
});

/** Ends what an app may do. One that has ended meanwhile is what was wanted. */
export const disconnectApp = mutationOptions({
  mutationFn: async ({ appId }: ConnectedApp) => {
    await call('disconnectApp', { appId }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'app-not-found') throw error;
    });
    await showChanged(connectedAppsQuery, (list) => list.filter((each) => each.appId !== appId));
  },
});
