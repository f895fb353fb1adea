import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { messages } from '#contract/messages.ts';
import { call, messageOf } from '#web/api/call.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { arriveAt } from './arrive.ts';
import styles from './Reading.module.css';
import { ReadingParts } from './ReadingParts.tsx';
import { headerAbove, partAt, partsOf, type Range } from './reading-view.ts';

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
  /** Told the sheet, slide or chapter that is in view. */
  onPart: (name: string | null) => void;
}

/** The text of a document, opened at the cited words. Mount it anew (`key`) for another document or citation. */
export function ReadingView({ documentId, version, blocks, cited, onPart }: ReadingViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: Math.ceil(blocks / runSize),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.min(runSize, blocks - index * runSize) * blockHeight,
    overscan: 1,
    onChange: () => tellPart(),
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

  const tellPart = () => scroller.current && onPart(partInView(scroller.current));

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
            <Run
              documentId={documentId}
              version={version}
              first={index * runSize}
              range={cited}
              arrive={arrive}
              onDrawn={tellPart}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The part that the line a third down stands in: a title that has just come in at the bottom does not count yet. */
function partInView(scroller: HTMLElement): string | null {
  const view = scroller.getBoundingClientRect();
  const line = view.top + view.height / 3;
  const above = Array.from(scroller.querySelectorAll<HTMLElement>('[data-part]')).filter(
    (element) => element.getBoundingClientRect().top <= line,
  );
  return above.at(-1)?.dataset.part || null;
}

interface RunProps extends Pick<ReadingViewProps, 'documentId' | 'version'> {
  first: number;
  range: Range | null;
  arrive: (mark: HTMLElement | null) => void;
  onDrawn: () => void;
}

function Run({ documentId, version, first, range, arrive, onDrawn }: RunProps) {
  const from = first - (first % windowSize);
  const { data, error, refetch } = useQuery({
    queryKey: ['reading', documentId, version, from],
    queryFn: ({ signal }) => call('getReadingView', { documentId, version, from, limit: windowSize }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const drawn = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the text is there
  useEffect(() => {
    if (drawn) onDrawn();
  }, [drawn]);
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
  return (
    <>
      <span data-part={partAt(data.blocks, first) ?? ''} />
      <ReadingParts parts={partsOf(blocks, headerAbove(data.blocks, first))} range={range} arrive={arrive} />
    </>
  );
}
