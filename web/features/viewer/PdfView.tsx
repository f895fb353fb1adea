import { useEffect, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { findQuote, type Quote } from './find-quote.ts';
import type { PageBox } from './PageMarks.tsx';
import styles from './Pdf.module.css';
import { type OpenPdf, PdfPages } from './PdfPages.tsx';
import { openPdf, type PDFDocumentProxy, sizeOf, textOf } from './pdf.ts';
import { viewerTexts as texts } from './texts.ts';

export interface PdfViewProps {
  /** Gives an address of the file that is valid now. */
  link: () => Promise<string>;
  quote: Quote | null;
  /** Where the quote stands: what is marked on a page whose own text does not have it, as on a scanned one. */
  boxes: readonly PageBox[];
  /** Where to open, 1-based. */
  page: number;
}

/** The pages of a PDF, opened at the quote. Mount it anew (`key`) for another file or quote. */
export function PdfView({ link, quote, boxes, page }: PdfViewProps) {
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
        <Notice kind="problem">{texts.notShown}</Notice>
      </div>
    );
  }
  if (!pdf) {
    return <Skeleton label={messages.common.loading} shape="sheet" lines={12} />;
  }
  return (
    <>
      {quote && !pdf.marks && boxes.length === 0 && (
        <div className={styles.missing}>
          <Notice kind="info" title={texts.passageReads}>
            <q className={styles.quote}>{quote.quote}</q>
          </Notice>
        </div>
      )}
      <PdfPages {...pdf} boxes={pdf.marks ? noBoxes : boxes} />
    </>
  );
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

const noBoxes: PageBox[] = [];
