/** How this browser left the chat's sidebar, for the page and for what is drawn before it. */
const sidebarKey = 'footnote.sidebar';

export function isSidebarOpen(): boolean {
  return localStorage.getItem(sidebarKey) !== 'closed';
}

export function rememberSidebar(isOpen: boolean): void {
  localStorage.setItem(sidebarKey, isOpen ? 'open' : 'closed');
}

/** Bounds of the sidebar's width and what it is at first, in CSS pixels. */
export const sidebarBounds = { initial: 264, min: 200, max: 420 };
