import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { drawPicture, type PDFDocumentProxy } from './pdf.ts';
import styles from './Thumbnails.module.css';
import { viewerTexts as texts } from './texts.ts';

/** CSS pixels. */
const width = 92;
const below = 26;
const gap = 12;

export interface ThumbnailsProps {
  pdf: PDFDocumentProxy;
  /** In view, 1-based. */
  page: number;
  /** Height of a page for a width of 1. */
  ratioOf: (page: number) => number;
  onPage: (page: number) => void;
}

/** All pages as small pictures, only those in sight drawn. */
export function Thumbnails({ pdf, page, ratioOf, onPage }: ThumbnailsProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: pdf.numPages,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.round(width * ratioOf(index + 1)) + below,
    gap,
    paddingStart: gap,
    paddingEnd: gap,
    overscan: 2,
  });
  useEffect(() => virtual.scrollToIndex(page - 1, { align: 'auto' }), [virtual, page]);
  return (
    <nav ref={scroller} className={styles.thumbnails} aria-label={texts.thumbnails}>
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <li key={index} style={{ transform: `translateY(${start}px)` }}>
            <button
              type="button"
              aria-label={texts.pageOf(index + 1, pdf.numPages)}
              aria-current={index + 1 === page ? 'page' : undefined}
              onClick={() => onPage(index + 1)}
            >
              <Picture pdf={pdf} page={index + 1} height={Math.round(width * ratioOf(index + 1))} />
              <span>{index + 1}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Picture({ pdf, page, height }: { pdf: PDFDocumentProxy; page: number; height: number }) {
  const holder = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const drawing = new AbortController();
    drawPicture(pdf, page, { width, signal: drawing.signal }).then(
      (canvas) => {
        if (!drawing.signal.aborted) holder.current?.replaceChildren(canvas);
      },
      (error: unknown) => {
        // Its number still leads there, where the page says itself that it cannot be shown.
        if (!drawing.signal.aborted) console.warn(`Page ${page} has no small picture.`, error);
      },
    );
    return () => drawing.abort();
  }, [pdf, page]);
  return <span ref={holder} className={styles.picture} style={{ width, height }} />;
}
