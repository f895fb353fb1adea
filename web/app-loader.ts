/**
 * Brings what lies behind the sign-in. Called early by the sign-in form, so that it is there when the server says yes.
 */
export const loadApp = () => import('./App.tsx');
