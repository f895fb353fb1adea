import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { messageOf } from '#web/api/call.ts';
import { readingQuery } from '#web/api/documents.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx';
import { arriveAt } from './arrive.ts';
import { lightIn, textsOf, windowSize } from './find-in-text.ts';
import { useKeptPlace } from './keep-place.ts';
import styles from './Reading.module.css';
import { ReadingParts } from './ReadingParts.tsx';
import { headerAbove, partsOf, type Range, type Section, sectionAt, sectionKind } from './reading-view.ts';
import { TextBar } from './TextBar.tsx';
import { viewerTexts as texts } from './texts.ts';
import { type Found, type Hit, useFind } from './use-find.ts';

/** Blocks drawn as one. */
const runSize = 100;
/** What a block is taken for until it is drawn, in CSS pixels. */
const blockHeight = 44;

export interface ReadingViewProps {
  documentId: string;
  version: number;
  /** Number of blocks. */
  blocks: number;
  cited: (Range & { block: number }) | null;
  /** Its sheets, slides or chapters. */
  sections: readonly Section[];
  /** Of the document: tells what its parts are called. */
  name: string;
}

/** The text of a document, opened at the cited words. Mount it anew (`key`) for another document or citation. */
export function ReadingView({ documentId, version, blocks, cited, sections, name }: ReadingViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const label = useId();
  const kind = sectionKind(name);
  const [current, setCurrent] = useState(() => sectionAt(sections, cited?.block ?? 0));
  const virtual = useVirtualizer({
    count: Math.ceil(blocks / runSize),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.min(runSize, blocks - index * runSize) * blockHeight,
    overscan: 1,
    onChange: () => look(),
  });

  // By offset: asked for an index, the list would go on correcting itself, and take the reader off the mark.
  const scrollToBlock = useCallback(
    (block: number) => {
      const [offset] = virtual.getOffsetForIndex(Math.floor(block / runSize), 'start') ?? [0];
      virtual.scrollToOffset(offset);
    },
    [virtual],
  );
  const start = cited?.block ?? 0;
  useEffect(() => scrollToBlock(start), [start, scrollToBlock]);

  /**
   * Whether it stands where a citation or the bar has led: then not what is at the top counts, until the reader
   * scrolls.
   */
  const led = useRef(cited !== null);
  const readAll = useCallback(
    (signal: AbortSignal) => textsOf({ documentId, version, blocks }, signal),
    [documentId, version, blocks],
  );
  const find = useFind(readAll, () => (scroller.current ? blockInView(scroller.current) : 0));
  const now = find.found.hits[find.found.now];
  /** What is looked at and not yet in sight: a part that is drawn anew later does not pull the reader back to it. */
  const unreached = useRef<Hit | undefined>(undefined);
  // Before the parts light what was found, whose effects come before ours.
  useLayoutEffect(() => {
    unreached.current = now;
  }, [now]);
  useEffect(() => {
    if (!now) return;
    led.current = false;
    scrollToBlock(now.at);
  }, [now, scrollToBlock]);
  const reach = useCallback((lit: HTMLElement) => {
    if (!unreached.current || !scroller.current) return;
    unreached.current = undefined;
    arriveAt(lit, scroller.current);
  }, []);

  useKeptPlace(scroller);
  const arrived = useRef(false);
  const arrive = useCallback((mark: HTMLElement | null) => {
    if (!mark || !scroller.current || arrived.current) return;
    arrived.current = true;
    arriveAt(mark, scroller.current);
  }, []);

  useEffect(() => {
    const view = scroller.current;
    const letGo = () => {
      led.current = false;
    };
    const signs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
    for (const sign of signs) view?.addEventListener(sign, letGo, { passive: true });
    return () => {
      for (const sign of signs) view?.removeEventListener(sign, letGo);
    };
  }, []);
  /** The block with the title that the reader wants to see, until it is drawn. */
  const wanted = useRef<number | null>(null);
  const look = () => {
    const view = scroller.current;
    if (!view || sections.length === 0) return;
    const title = wanted.current !== null && view.querySelector<HTMLElement>(`h3[data-block="${wanted.current}"]`);
    if (title) {
      wanted.current = null;
      arriveAt(title, view, 'start');
    }
    if (wanted.current === null && !led.current) setCurrent(sectionAt(sections, blockInView(view)));
  };
  const go = (place: number) => {
    const block = sections[place]?.block;
    if (block === undefined) return;
    setCurrent(place);
    wanted.current = block;
    led.current = true;
    scrollToBlock(block);
    look();
  };

  return (
    <>
      <TextBar kind={kind} sections={sections} current={current} onGo={go} find={find} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section ref={scroller} className={styles.scroller} tabIndex={0} aria-labelledby={label}>
        {/* Between the name of the document and its own headings. */}
        <VisuallyHidden as="h2" id={label}>
          {texts.text}
        </VisuallyHidden>
        <div className={styles.text} data-kind={kind} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start: top }) => (
            <div
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.run}
              // Not by a transform: what sticks (a sheet's header) is placed as if there were none.
              style={{ top }}
            >
              <Run
                documentId={documentId}
                version={version}
                first={index * runSize}
                range={cited}
                arrive={arrive}
                onDrawn={look}
                found={find.found}
                reach={reach}
              />
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

/** A block of the part that is at the top. */
function blockInView(scroller: HTMLElement): number {
  const line = scroller.getBoundingClientRect().top + 60;
  const above = Array.from(scroller.querySelectorAll<HTMLElement>('[data-block]')).filter(
    (element) => element.getBoundingClientRect().top <= line,
  );
  return Number(above.at(-1)?.dataset.block ?? 0);
}

interface RunProps extends Pick<ReadingViewProps, 'documentId' | 'version'> {
  first: number;
  range: Range | null;
  arrive: (mark: HTMLElement | null) => void;
  onDrawn: () => void;
  found: Found;
  /** Brings what is looked at into sight. */
  reach: (lit: HTMLElement) => void;
}

function Run({ documentId, version, first, range, arrive, onDrawn, found, reach }: RunProps) {
  const start = useRef<HTMLSpanElement>(null);
  const from = first - (first % windowSize);
  const { data, error, refetch } = useQuery(readingQuery({ documentId, version, from, limit: windowSize }));
  const drawn = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the text is there
  useEffect(() => {
    if (drawn) onDrawn();
  }, [drawn]);
  useEffect(() => {
    const holder = start.current?.parentElement;
    if (!drawn || !holder || found.hits.length === 0) return;
    const { lit, putOut } = lightIn(holder, found, { first, end: first + runSize });
    if (lit) reach(lit);
    return putOut;
  }, [drawn, found, first, reach]);
  if (error) {
    return <LoadFailed retry={refetch}>{messageOf(error, texts.partNotLoaded)}</LoadFailed>;
  }
  if (!data) {
    return (
      <div style={{ minHeight: runSize * blockHeight }}>
        <Skeleton label={messages.common.loading} lines={12} />
      </div>
    );
  }
  const blocks = data.blocks.filter(({ index }) => index >= first && index < first + runSize);
  return (
    <>
      <span ref={start} data-block={first} />
      <ReadingParts
        parts={partsOf(blocks, headerAbove(data.blocks, first, data.header ?? null))}
        range={range}
        arrive={arrive}
      />
    </>
  );
}
