import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Span } from './fold.ts';
import { isSeen } from './keep-place.ts';
import type { PageBox } from './PageMarks.tsx';
import styles from './Pdf.module.css';
import { PdfBar } from './PdfBar.tsx';
import { PdfPage } from './PdfPage.tsx';
import { type PDFDocumentProxy, textOf } from './pdf.ts';
import { Thumbnails } from './Thumbnails.tsx';
import { viewerTexts as texts } from './texts.ts';
import { type Batch, useFind } from './use-find.ts';
import { useReaching } from './use-reaching.ts';
import { useWidth } from './use-width.ts';

export interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** The page to show first. */
  first: number;
  /** Its height for a width of 1: what other pages are taken for until they are known. */
  ratio: number;
  /** What to mark on each page; null when the quote is not in their text. */
  marks: Map<number, Span[]> | null;
}

const gap = 16;
const widest = 920;

/** The pages one below the other, only those in sight drawn, and the bar that leads through them. */
export function PdfPages({ pdf, first, ratio, marks, boxes }: OpenPdf & { boxes: readonly PageBox[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const fit = Math.min(useWidth(scroller) - 2 * gap, widest);
  const width = Math.round(fit * zoom);
  const [page, setPage] = useState(first);
  const [hasThumbnails, setHasThumbnails] = useState(false);
  const readAll = useCallback((signal: AbortSignal) => textsOf(pdf, signal), [pdf]);
  const find = useFind(readAll, () => page);
  const ratios = useRef(new Map<number, number>());
  const [, redraw] = useState(0);
  const ratioOf = (page: number) => ratios.current.get(page) ?? ratio;
  const heightOf = (page: number) => Math.round(width * ratioOf(page));

  const reaching = useReaching(scroller);
  const isMarkSeen = useRef(false);
  const virtual = useVirtualizer({
    count: width > 0 ? pdf.numPages : 0,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(index + 1),
    gap,
    paddingStart: gap,
    paddingEnd: gap,
    overscan: 1,
    onChange: ({ scrollOffset, scrollRect }) => {
      const middle = (scrollOffset ?? 0) + (scrollRect?.height ?? 0) / 2;
      const shown = virtual.getVirtualItemForOffset(middle);
      if (shown) setPage(shown.index + 1);
      const view = scroller.current;
      const mark = view?.querySelector<HTMLElement>('mark');
      isMarkSeen.current = view !== null && mark != null && isSeen(mark, view);
    },
  });

  const known = width > 0;
  useEffect(() => {
    if (known) virtual.scrollToIndex(first - 1, { align: 'start' });
  }, [known, first, virtual]);

  // Another width gives every page another height: the reader stays at the same part of the same page, and at the
  // passage, where it was in sight.
  const place = useRef<{ page: number; share: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each width
  useLayoutEffect(() => {
    const offset = virtual.scrollOffset ?? 0;
    const top = offset > 0 ? virtual.getVirtualItemForOffset(offset) : undefined;
    place.current = top ? { page: top.index, share: (offset - top.start) / top.size } : null;
    // Also one that was on its way to it: it is drawn anew.
    if (isMarkSeen.current || reaching.isOnWayTo('cited')) reaching.again('cited');
    virtual.measure();
  }, [width, virtual, reaching]);
  useEffect(() => {
    if (!place.current || width <= 0) return;
    const { page: top, share } = place.current;
    const [start] = virtual.getOffsetForIndex(top, 'start') ?? [0];
    virtual.scrollToOffset(start + share * heightOf(top + 1));
    place.current = null;
  });

  const learn = (number: number, itsRatio: number) => {
    if (Math.abs((ratios.current.get(number) ?? ratio) - itsRatio) < 0.001) return;
    ratios.current.set(number, itsRatio);
    virtual.resizeItem(number - 1, heightOf(number));
    redraw((count) => count + 1);
  };

  const { found } = find;
  const now = found.hits[found.now];
  const goTo = useCallback(
    (next: number) => {
      reaching.stop();
      // Who goes elsewhere is not brought back to the passage by a page that is drawn late.
      reaching.skip('cited', first);
      virtual.scrollToIndex(next - 1, { align: 'start' });
    },
    [first, virtual, reaching],
  );
  useEffect(() => {
    if (now) goTo(now.at);
  }, [now, goTo]);
  /** To a page that the reader named: nor is she brought back to what she looked for. */
  const goToNamed = (next: number) => {
    reaching.skip('lit', now);
    goTo(next);
  };
  return (
    <>
      <PdfBar
        page={page}
        pages={pdf.numPages}
        onPage={goToNamed}
        zoom={zoom}
        onZoom={setZoom}
        hasThumbnails={hasThumbnails}
        onThumbnails={() => setHasThumbnails(!hasThumbnails)}
        find={find}
      />
      <div className={styles.parts}>
        {hasThumbnails && <Thumbnails pdf={pdf} page={page} ratioOf={ratioOf} onPage={goToNamed} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label={texts.pages}>
          <div className={styles.pages} style={{ height: virtual.getTotalSize(), minWidth: width + 2 * gap }}>
            {virtual.getVirtualItems().map(({ index, start }) => (
              <PdfPage
                key={index}
                pdf={pdf}
                number={index + 1}
                top={start}
                width={width}
                height={heightOf(index + 1)}
                spans={marks?.get(index + 1) ?? noSpans}
                boxes={boxes.filter(({ page }) => page === index + 1)}
                arrive={(mark) => index + 1 === first && reaching.toOnce('cited', first, mark)}
                arriveLit={(element) => now !== undefined && reaching.toOnce('lit', now, element)}
                onRatio={learn}
                words={found.words}
                lit={now?.at === index + 1 ? now.place : null}
              />
            ))}
          </div>
        </section>
      </div>
    </>
  );
}

async function* textsOf(pdf: PDFDocumentProxy, signal: AbortSignal): AsyncGenerator<Batch> {
  for (let page = 1; page <= pdf.numPages && !signal.aborted; page++)
    yield [{ at: page, pieces: await textOf(pdf, page) }];
}

const noSpans: Span[] = [];
