import { useCopy } from '#web/ui/use-copy.ts';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import styles from './DocumentView.module.css';
import { addressOf, type Target } from './target.ts';
import { viewerTexts as texts } from './texts.ts';

/** Takes along the address of the passage, for whoever may see the document. */
export function CopyLink({ target }: { target: Target }) {
  const { state, copy } = useCopy();
  const { href } = new URL(addressOf(target), window.location.origin);
  const words = { idle: texts.copyLink, copied: texts.copied, failed: texts.notAllowed };
  return (
    <>
      <button
        type="button"
        className={styles.copy}
        aria-label={texts.copyLink}
        onClick={() => void copy({ text: href, html: `<a href="${href}">${href}</a>` })}
      >
        {words[state]}
      </button>
      <VisuallyHidden role="status">{state !== 'idle' && words[state]}</VisuallyHidden>
    </>
  );
}
