/** How people prove who they are. Browser, server and database read the same lists. */

/** What people have beside their password. Stored, so never rename one. */
export const secondFactorKinds = ['totp', 'passkey'] as const;

/** What a second factor is proved with. */
export const secondFactorMethods = [...secondFactorKinds, 'recovery-code'] as const;
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** What a session has been begun with. Stored, so never rename one. */
export const signInMethods = ['password', ...secondFactorMethods, 'single-sign-on'] as const;
export type SignInMethod = (typeof signInMethods)[number];
