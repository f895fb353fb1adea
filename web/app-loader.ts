/**
 * Brings what lies behind the sign-in. Called early by the sign-in form, so that it is there when the server says yes.
 */
export const loadApp = () => import('./App.tsx');

/**
 * Begins to bring the page of an address beside the app, which would ask for it only once it is there itself. What does
 * not come is asked for again, and told, where the page is drawn.
 * @param path of a page behind the sign-in
 */
export function loadPageEarly(path: string): void {
  const page = path === '/chat' ? import('./pages/ChatPage.tsx') : null;
  const layout = path.startsWith('/admin/') ? import('./pages/admin/AdminLayout.tsx') : null;
  Promise.all([page, layout]).catch(() => {});
}
