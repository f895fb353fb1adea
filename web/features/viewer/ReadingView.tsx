import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { messages } from '#contract/messages.ts';
import { call, messageOf } from '#web/api/call.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { arriveAt } from './arrive.ts';
import styles from './Reading.module.css';
import { ReadingParts } from './ReadingParts.tsx';
import { headerAbove, partsOf, type Range } from './reading-view.ts';

/** Blocks asked for at once, and drawn as one. */
const windowSize = 1000;
const runSize = 100;
/** What a block is taken for until it is drawn, in CSS pixels. */
const blockHeight = 44;

export interface ReadingViewProps {
  documentId: string;
  version: number;
  /** Number of blocks. */
  blocks: number;
  cited: (Range & { block: number }) | null;
}

/** The text of a document, opened at the cited words. Mount it anew (`key`) for another document or citation. */
export function ReadingView({ documentId, version, blocks, cited }: ReadingViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: Math.ceil(blocks / runSize),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.min(runSize, blocks - index * runSize) * blockHeight,
    overscan: 1,
  });

  const start = cited?.block ?? 0;
  // By offset: asked for an index, the list would go on correcting itself, and take the reader off the mark.
  useEffect(() => virtual.scrollToOffset(Math.floor(start / runSize) * runSize * blockHeight), [start, virtual]);

  const arrived = useRef(false);
  const arrive = useCallback((mark: HTMLElement | null) => {
    if (!mark || !scroller.current || arrived.current) return;
    arrived.current = true;
    arriveAt(mark, scroller.current);
  }, []);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label="Text of the document">
      <div className={styles.text} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start: top }) => (
          <div
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            className={styles.run}
            style={{ transform: `translateY(${top}px)` }}
          >
            <Run documentId={documentId} version={version} first={index * runSize} range={cited} arrive={arrive} />
          </div>
        ))}
      </div>
    </section>
  );
}

interface RunProps extends Pick<ReadingViewProps, 'documentId' | 'version'> {
  first: number;
  range: Range | null;
  arrive: (mark: HTMLElement | null) => void;
}

function Run({ documentId, version, first, range, arrive }: RunProps) {
  const from = first - (first % windowSize);
  const { data, error, refetch } = useQuery({
    queryKey: ['reading', documentId, version, from],
    queryFn: ({ signal }) => call('getReadingView', { documentId, version, from, limit: windowSize }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) {
    return (
      <Notice kind="problem" action={{ label: 'Try again', run: () => void refetch() }}>
        {messageOf(error, 'This part of the text could not be loaded.')}
      </Notice>
    );
  }
  if (!data) {
    return (
      <p className={styles.loading} role="status" style={{ minHeight: runSize * blockHeight }}>
        {messages.common.loading}
      </p>
    );
  }
  const blocks = data.blocks.filter(({ index }) => index >= first && index < first + runSize);
  return <ReadingParts parts={partsOf(blocks, headerAbove(data.blocks, first))} range={range} arrive={arrive} />;
}
