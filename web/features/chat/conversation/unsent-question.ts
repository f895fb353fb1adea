import { keep, kept } from '#web/api/kept-in-tab.ts';
import { onSignOut } from '#web/api/session.ts';
import { createStore, useStore } from '#web/lib/store.ts';

/** The question that is being written, and whose it is. */
const written = createStore<{ userId: string | null; text: string }>({ userId: null, text: '' });

/** The question that is being written, which survives a reload of the tab as the conversation does. */
export function useUnsentQuestion(userId: string): [text: string, set: (text: string) => void] {
  if (written.value.userId !== userId) {
    const draft = kept('draft', userId);
    written.begin({ userId, text: typeof draft === 'string' ? draft : '' });
  }
  return [useStore(written).text, (text) => set(userId, text)];
}

/** Puts a question that cannot be sent now where questions are written, unless one is being written there. */
export function keepQuestion(userId: string, text: string): void {
  if (written.value.userId === userId && written.value.text.trim() !== '') return;
  set(userId, text);
}

function set(userId: string, text: string): void {
  written.set({ userId, text });
  try {
    keep('draft', userId, text);
  } catch {
    // A browser without room keeps it as long as the page lasts; nobody can do anything about it.
  }
}

/** Where the cursor stood in a field that another one takes the place of. */
let caret: { start: number; end: number } | null = null;

/** Keeps the keyboard's place, where a field with it is about to be drawn anew. */
export function keepCaret(field: HTMLTextAreaElement | null | undefined): void {
  if (field && field === document.activeElement) caret = { start: field.selectionStart, end: field.selectionEnd };
}

/** Goes on in this field where the one before was left. */
export function takeCaret(field: HTMLTextAreaElement | null): void {
  if (!caret || !field) return;
  field.focus({ preventScroll: true });
  field.setSelectionRange(caret.start, caret.end);
  caret = null;
}

onSignOut(() => written.set({ userId: null, text: '' }));
