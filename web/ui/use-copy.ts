import { useEffect, useState } from 'react';
import { type Copied, putOnClipboard } from '#web/lib/clipboard.ts';

/** For so long a control says that it has copied, in milliseconds. */
const copiedMs = 2500;

/** What a control that copies says of itself, and the way to do it: once done it says so for a while. */
export function useCopy(): { state: 'idle' | 'copied' | 'failed'; copy: (what: Copied) => Promise<void> } {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), copiedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (what: Copied) => {
    try {
      await putOnClipboard(what);
      setState('copied');
    } catch (error) {
      console.warn('It could not be copied.', error);
      setState('failed');
    }
  };
  return { state, copy };
}
