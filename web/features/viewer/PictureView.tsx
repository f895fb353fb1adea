import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { type Document, isBeingRead, pictureQuery } from '#web/api/documents.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { arriveAt } from './arrive.ts';
import { PageMarks } from './PageMarks.tsx';
import styles from './Picture.module.css';
import { viewerTexts as texts } from './texts.ts';

export interface PictureViewProps {
  document: Document;
  /** The text that was recognised in it. */
  children: ReactNode;
}

/**
 * A picture as it was uploaded, the cited passage marked on it, and the text recognised in it beside it; only the text,
 * where it can't be drawn.
 */
export function PictureView({ document, children }: PictureViewProps) {
  const { data: url, error, refetch } = useQuery(pictureQuery(document));
  const [state, setState] = useState<'loading' | 'drawn' | 'not-loaded' | 'undrawable'>('loading');
  const scroller = useRef<HTMLElement>(null);
  const arrive = useCallback((mark: HTMLElement | null) => {
    if (mark && scroller.current) arriveAt(mark, scroller.current);
  }, []);
  const retry = () => {
    setState('loading');
    void refetch();
  };
  return (
    <div className={styles.view}>
      {state !== 'undrawable' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section ref={scroller} className={styles.picture} aria-label={texts.picture} tabIndex={0}>
          {(error || state === 'not-loaded') && <LoadFailed retry={retry}>{texts.pictureNotLoaded}</LoadFailed>}
          {url !== undefined && state !== 'not-loaded' && (
            <div className={styles.sheet}>
              <img
                src={url}
                alt={texts.originalOf(document.name)}
                onLoad={() => setState('drawn')}
                onError={() => void isThere(url).then((there) => setState(there ? 'undrawable' : 'not-loaded'))}
              />
              {state === 'drawn' && document.citation && <PageMarks boxes={document.citation.boxes} arrive={arrive} />}
            </div>
          )}
        </section>
      )}
      {children ? (
        <div className={styles.text}>{children}</div>
      ) : (
        <EmptyState inset>{isBeingRead(document) ? texts.stillReading : texts.noText}</EmptyState>
      )}
    </div>
  );
}

/** Whether a file can be reached, which an image does not tell that could not be drawn. */
async function isThere(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}
