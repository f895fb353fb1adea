import { useEffect, useState } from 'react';
import { putOnClipboard } from '#web/lib/clipboard.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './DocumentView.module.css';
import { addressOf, type Target } from './target.ts';
import { viewerTexts as texts } from './texts.ts';

/** For so long the button says that it has copied, in milliseconds. */
const copiedMs = 2500;

/** Takes along the address of the passage, for whoever may see the document. */
export function CopyLink({ target }: { target: Target }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), copiedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      const { href } = new URL(addressOf(target), window.location.origin);
      await putOnClipboard({ text: href, html: `<a href="${href}">${href}</a>` });
      setState('copied');
    } catch (error) {
      console.warn('The link could not be copied.', error);
      setState('failed');
    }
  };
  const words = { idle: texts.copyLink, copied: texts.copied, failed: texts.notAllowed };
  return (
    <>
      <button type="button" className={styles.copy} aria-label={texts.copyLink} onClick={() => void copy()}>
        {words[state]}
      </button>
      <VisuallyHidden role="status">{state !== 'idle' && words[state]}</VisuallyHidden>
    </>
  );
}
