import { useState } from 'react';
import { keep, kept } from '#web/api/kept-in-tab.ts';

/** The question that is being written, which survives a reload of the tab as the conversation does. */
export function useUnsentQuestion(userId: string): [text: string, set: (text: string) => void] {
  const [text, setText] = useState(() => {
    const draft = kept('draft', userId);
    return typeof draft === 'string' ? draft : '';
  });
  const set = (next: string) => {
    setText(next);
    try {
      keep('draft', userId, next);
    } catch {
      // A browser without room keeps it as long as the page lasts; nobody can do anything about it.
    }
  };
  return [text, set];
}
