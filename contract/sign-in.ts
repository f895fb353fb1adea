/** How people prove who they are. Browser, server and database read the same lists. */

/** What a session has been begun with. Stored, so never rename one. */
export const signInMethods = ['password'] as const;
export type SignInMethod = (typeof signInMethods)[number];
