import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CallOutput } from '#contract/calls.ts';
import { currentLink } from './document-link.ts';
import styles from './Picture.module.css';

export interface PictureViewProps {
  document: CallOutput<'getDocument'>;
  /** The text that was recognised in it. */
  children: ReactNode;
}

/** A picture as it was uploaded, and the text recognised in it beside it; only the text, where it can't be drawn. */
export function PictureView({ document, children }: PictureViewProps) {
  // One link for as long as it is shown: a newer one to the same bytes would draw the picture anew.
  const { data: url } = useQuery({
    queryKey: ['picture', document.documentId, document.version],
    queryFn: () => currentLink(document, document.version),
    staleTime: 'static',
    gcTime: 0,
  });
  const [broken, setBroken] = useState(false);
  return (
    <div className={styles.view}>
      {!broken && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section className={styles.picture} aria-label="Picture" tabIndex={0}>
          {url !== undefined && <img src={url} alt={`Original of ${document.name}`} onError={() => setBroken(true)} />}
        </section>
      )}
      {children || (
        <p className={styles.none} role="status">
          {document.state === 'queued' || document.state === 'processing' || document.state === 'uploading'
            ? 'This file has not been read yet.'
            : 'No text could be read from this file.'}
        </p>
      )}
    </div>
  );
}
