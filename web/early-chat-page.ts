import type { ComponentType } from 'react';

let chatPage: ComponentType | null = null;

/** Brings the chat before the app asks for it. */
export async function loadChatPage(): Promise<void> {
  chatPage = (await import('./pages/ChatPage.tsx')).ChatPage;
}

/**
 * The chat, where it has come early: drawn at once, with nothing between it and the greeting that it takes the place
 * of, where what is typed would be lost.
 */
export const earlyChatPage = (): ComponentType | null => chatPage;
