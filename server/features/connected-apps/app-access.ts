// What the authorization server and the calls about it agree on. The library itself is loaded when an app comes.

/** The one right there is: what a key of scope `read` may. */
export const appScope = 'read';
/**
 * How long an app may read without asking anew; how long it may leave that unused; and until its person has to allow it
 * again.
 */
export const accessSeconds = 900;
export const unusedSeconds = 30 * 86_400;
export const grantSeconds = 365 * 86_400;
/** To sign in and to answer. */
export const requestSeconds = 900;

/** The cookie by which the page that asks is tied to the browser that came from the app; `http/cookie.ts` reads it. */
export const requestCookie = 'footnote_app_request';

/** As an account is named to the library: people of two companies may have the same id at another identity service. */
export function accountIdOf({ companyId, userId }: { companyId: string; userId: string }): string {
  return `${companyId}/${userId}`;
}
