import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { findQuote, type Quote, type Span } from './find-quote.ts';
import type { PageBox } from './PageMarks.tsx';
import styles from './Pdf.module.css';
import { PdfPage } from './PdfPage.tsx';
import { openPdf, type PDFDocumentProxy, sizeOf, textOf } from './pdf.ts';
import { useWidth } from './use-width.ts';

export interface PdfViewProps {
  /** Gives an address of the file that is valid now. */
  link: () => Promise<string>;
  quote: Quote | null;
  /** Where the quote stands: what is marked on a page whose own text does not have it, as on a scanned one. */
  boxes: readonly PageBox[];
  /** Where to open, 1-based. */
  page: number;
  onPage: (page: number) => void;
}

/** The pages of a PDF, opened at the quote. Mount it anew (`key`) for another file or quote. */
export function PdfView({ link, quote, boxes, page, onPage }: PdfViewProps) {
  const [pdf, setPdf] = useState<OpenPdf | null>(null);
  const [failed, setFailed] = useState(false);
  const [start] = useState({ link, quote, page });

  useEffect(() => {
    let left = false;
    let opened: PDFDocumentProxy | null = null;
    void prepare(start).then(
      (ready) => {
        opened = ready.pdf;
        if (left) void opened.loadingTask.destroy();
        else setPdf(ready);
      },
      (error: unknown) => {
        console.error('The PDF could not be shown.', error);
        setFailed(true);
      },
    );
    return () => {
      left = true;
      void opened?.loadingTask.destroy();
    };
  }, [start]);

  if (failed) {
    return (
      <div className={styles.problem}>
        <Notice kind="problem">This document cannot be shown here. “Open original” shows it as it is.</Notice>
      </div>
    );
  }
  if (!pdf) {
    return <EmptyState inset>{messages.common.loading}</EmptyState>;
  }
  return (
    <>
      {quote && !pdf.marks && boxes.length === 0 && (
        <div className={styles.missing}>
          <Notice kind="info" title="The passage on this page reads:">
            <q className={styles.quote}>{quote.quote}</q>
          </Notice>
        </div>
      )}
      <Pages {...pdf} boxes={pdf.marks ? noBoxes : boxes} onPage={onPage} />
    </>
  );
}

interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** The page to show first. */
  first: number;
  /** Its height for a width of 1: what other pages are taken for until they are known. */
  ratio: number;
  /** What to mark on each page; null when the quote is not in their text. */
  marks: Map<number, Span[]> | null;
}

async function prepare({ link, quote, page }: Pick<PdfViewProps, 'link' | 'quote' | 'page'>): Promise<OpenPdf> {
  const pdf = await openPdf(link);
  const cited = Math.min(Math.max(page, 1), pdf.numPages);
  // A quote may run over to the next page.
  const near = [cited, cited + 1].filter((each) => each <= pdf.numPages);
  const [size, found] = await Promise.all([
    sizeOf(pdf, cited),
    quote && Promise.all(near.map((each) => textOf(pdf, each))).then((pages) => findQuote(pages, quote)),
  ]);
  const marks = found && new Map(near.map((each, index) => [each, found[index] ?? []] as const));
  const first = near.find((each) => (marks?.get(each)?.length ?? 0) > 0) ?? cited;
  return { pdf, first, ratio: size.height / size.width, marks };
}

const gap = 16;
const widest = 920;

function Pages({ pdf, first, ratio, marks, boxes, onPage }: OpenPdf & Pick<PdfViewProps, 'boxes' | 'onPage'>) {
  const scroller = useRef<HTMLDivElement>(null);
  const width = Math.min(useWidth(scroller) - 2 * gap, widest);
  const ratios = useRef(new Map<number, number>());
  const [, redraw] = useState(0);
  const heightOf = (page: number) => Math.round(width * (ratios.current.get(page) ?? ratio));

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
      if (shown) onPage(shown.index + 1);
    },
  });

  const known = width > 0;
  useEffect(() => {
    if (known) virtual.scrollToIndex(first - 1, { align: 'start' });
  }, [known, first, virtual]);

  // Another width gives every page another height: the reader stays at the same part of the same page.
  const place = useRef<{ page: number; share: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each width
  useLayoutEffect(() => {
    const offset = virtual.scrollOffset ?? 0;
    const page = offset > 0 ? virtual.getVirtualItemForOffset(offset) : undefined;
    place.current = page ? { page: page.index, share: (offset - page.start) / page.size } : null;
    virtual.measure();
  }, [width, virtual]);
  useEffect(() => {
    if (!place.current || width <= 0) return;
    const { page, share } = place.current;
    const [start] = virtual.getOffsetForIndex(page, 'start') ?? [0];
    virtual.scrollToOffset(start + share * heightOf(page + 1));
    place.current = null;
  });

  const learn = (page: number, itsRatio: number) => {
    if (Math.abs((ratios.current.get(page) ?? ratio) - itsRatio) < 0.001) return;
    ratios.current.set(page, itsRatio);
    virtual.resizeItem(page - 1, heightOf(page));
    redraw((count) => count + 1);
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label="Pages">
      <div className={styles.pages} style={{ height: virtual.getTotalSize() }}>
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
            arrive={index + 1 === first}
            scroller={scroller}
            onRatio={learn}
          />
        ))}
      </div>
    </section>
  );
}

const noSpans: Span[] = [];
const noBoxes: PageBox[] = [];
