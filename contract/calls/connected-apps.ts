import { z } from 'zod';
import { defineCall } from '../call.ts';

const none = z.null().or(z.object({}).strict());

/** What an app has asked for, in the browser that calls; no other browser can answer it. */
const request = z.object({ requestId: z.string().min(1).max(100) }).strict();
/** Where the browser goes on: to the app. */
const onward = z.object({ url: z.url() });

export const getAppRequest = defineCall({
  summary:
    'What an app that wants to be connected says of itself, for the page that asks the person. Answers the browser that has come from the app, and no other.',
  input: request,
  output: z.object({
    /** As it calls itself: anybody can say any name. */
    name: z.string(),
    /** The host name that gets the answer; for a program on the person's own machine that machine. */
    address: z.string(),
    /** Whether the answer goes to the person's own machine. */
    onThisMachine: z.boolean(),
  }),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const allowApp = defineCall({
  summary: 'Connects the app: from now on it reads and asks with the rights of the person, as they are at each call.',
  input: request,
  output: onward,
  access: 'member',
  scope: null,
  feature: 'api-keys',
  idempotent: false,
  audit: 'app-connected',
});

export const refuseApp = defineCall({
  summary: 'Tells the app that it is not connected.',
  input: request,
  output: onward,
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
});

export const listConnectedApps = defineCall({
  summary: 'The apps that the caller has connected and that are connected still, the newest first.',
  input: none,
  output: z.array(
    z.object({
      appId: z.uuid(),
      /** As it has called itself. */
      name: z.string(),
      /** The host name that it has been connected from. */
      address: z.string(),
      connectedAt: z.iso.datetime(),
      /** To the minute; absent: never. */
      lastUsedAt: z.iso.datetime().optional(),
    }),
  ),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: true,
});

export const disconnectApp = defineCall({
  summary: "Ends what one of the caller's apps may do, at once and with all that is open by it.",
  input: z.object({ appId: z.uuid() }).strict(),
  output: z.null(),
  access: 'member',
  scope: null,
  feature: null,
  idempotent: false,
  audit: 'app-disconnected',
});
