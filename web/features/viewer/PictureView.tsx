import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { type Document, pictureQuery } from '#web/api/documents.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
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
  const { data: url } = useQuery(pictureQuery(document));
  const [state, setState] = useState<'loading' | 'drawn' | 'broken'>('loading');
  const scroller = useRef<HTMLElement>(null);
  const arrive = useCallback((mark: HTMLElement | null) => {
    if (mark && scroller.current) arriveAt(mark, scroller.current);
  }, []);
  return (
    <div className={styles.view}>
      {state !== 'broken' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section ref={scroller} className={styles.picture} aria-label={texts.picture} tabIndex={0}>
          {url !== undefined && (
            <div className={styles.sheet}>
              <img
                src={url}
                alt={texts.originalOf(document.name)}
                onLoad={() => setState('drawn')}
                onError={() => setState('broken')}
              />
              {state === 'drawn' && document.citation && <PageMarks boxes={document.citation.boxes} arrive={arrive} />}
            </div>
          )}
        </section>
      )}
      {children ? (
        <div className={styles.text}>{children}</div>
      ) : (
        <EmptyState inset>
          {document.state === 'queued' || document.state === 'processing' ? texts.stillReading : texts.noText}
        </EmptyState>
      )}
    </div>
  );
}
