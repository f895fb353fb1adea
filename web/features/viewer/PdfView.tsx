import { useEffect, useEffectEvent, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { onReconnect } from '#web/lib/connection.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { findQuote, type Quote } from './find-quote.ts';
import type { PageBox } from './PageMarks.tsx';
import styles from './Pdf.module.css';
import { type OpenPdf, PdfPages } from './PdfPages.tsx';
import { faultOf, type Lost, openPdf, sizeOf, textOf } from './pdf.ts';
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
  /** What did not come, or cannot be shown. */
  const [trouble, setTrouble] = useState<Lost | null>(null);
  /** New for each time that it is loaded. */
  const [start, setStart] = useState({ link, quote, page });
  const retry = () => {
    setTrouble(null);
    trouble?.again();
  };

  useEffect(() => {
    const reading = new AbortController();
    const { signal } = reading;
    prepare({ ...start, signal, onLost: setTrouble }).then(
      (ready) => !signal.aborted && setPdf(ready),
      (error: unknown) => {
        if (signal.aborted) return;
        console.warn('The PDF could not be shown.', error);
        setTrouble({ error, again: () => setStart({ ...start }) });
      },
    );
    return () => reading.abort();
  }, [start]);

  // What could not be loaded while the server was away is loaded as soon as it is back.
  const onBack = useEffectEvent(retry);
  useEffect(() => onReconnect(() => onBack()), []);

  const problem = trouble && (
    <div className={pdf ? styles.missing : styles.problem}>
      <Problem {...trouble} isOpen={pdf !== null} retry={retry} />
    </div>
  );
  if (!pdf) {
    return problem ?? <Skeleton label={messages.common.loading} shape="sheet" lines={12} />;
  }
  return (
    <>
      {problem}
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

function Problem({ error, isOpen, retry }: { error: unknown; isOpen: boolean; retry: () => void }) {
  const fault = faultOf(error);
  if (fault !== 'not-loaded')
    return <Notice kind="problem">{fault === 'damaged' ? texts.damaged : texts.notShown}</Notice>;
  return <LoadFailed retry={retry}>{isOpen ? texts.someNotLoaded : messageOf(error, texts.notLoaded)}</LoadFailed>;
}

interface Wanted extends Pick<PdfViewProps, 'link' | 'quote' | 'page'> {
  signal: AbortSignal;
  onLost: (lost: Lost) => void;
}

async function prepare({ link, quote, page, signal, onLost }: Wanted): Promise<OpenPdf> {
  const pdf = await openPdf(link, { signal, onLost });
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
