import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { findWords } from './find-words.ts';
import type { Span } from './fold.ts';
import { light, rangeOf } from './highlights.ts';
import { markText } from './mark-text.ts';
import { type PageBox, PageMarks } from './PageMarks.tsx';
import styles from './Pdf.module.css';
import { drawPage, type PDFDocumentProxy, sizeOf } from './pdf.ts';
import { viewerTexts as texts } from './texts.ts';

export interface PdfPageProps {
  pdf: PDFDocumentProxy;
  number: number;
  /** All in CSS pixels, within the pages. */
  top: number;
  width: number;
  height: number;
  spans: readonly Span[];
  boxes: readonly PageBox[];
  /** Told of the first mark once it is there, to bring it into sight. */
  arrive: (mark: HTMLElement) => void;
  /** The same of what is lit. */
  arriveLit: (element: HTMLElement) => void;
  onRatio: (number: number, ratio: number) => void;
  /** What the reader looks for; empty when nothing. */
  words: string;
  /** Which of the places where it stands here is looked at; null when none of this page is. */
  lit: number | null;
}

/** One page: its picture, its text over it for selecting and reading aloud, and the marks in that. */
export function PdfPage({
  pdf,
  number,
  top,
  width,
  height,
  spans,
  boxes,
  arrive,
  arriveLit,
  onRatio,
  words,
  lit,
}: PdfPageProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [items, setItems] = useState<readonly HTMLElement[]>(notDrawn);

  const place = useEffectEvent((drawn: { canvas: HTMLElement; layer: HTMLElement; items: HTMLElement[] }) => {
    drawn.canvas.className = styles.canvas ?? '';
    drawn.layer.className = styles.text ?? '';
    const [mark] = markText(drawn.items, spans);
    holder.current?.replaceChildren(drawn.canvas, drawn.layer);
    setItems(drawn.items);
    if (mark) arrive(mark);
  });
  const reachLit = useEffectEvent((element: HTMLElement) => arriveLit(element));
  const tellRatio = useEffectEvent((ratio: number) => onRatio(number, ratio));

  useEffect(() => {
    const drawing = new AbortController();
    const draw = async () => {
      const size = await sizeOf(pdf, number);
      drawing.signal.throwIfAborted();
      tellRatio(size.height / size.width);
      const drawn = await drawPage(pdf, number, { width, signal: drawing.signal });
      drawing.signal.throwIfAborted();
      place(drawn);
    };
    draw().catch((error: unknown) => {
      if (drawing.signal.aborted) return;
      console.error(`Page ${number} could not be drawn.`, error);
      setFailed(true);
    });
    return () => drawing.abort();
  }, [pdf, number, width]);

  useEffect(() => {
    if (words === '' || items.length === 0) return;
    const places = findWords(
      items.map(({ textContent }) => textContent),
      words,
    );
    const ranges = places.map((place) => rangeOf(items, place));
    const now = ranges[lit ?? -1] ?? undefined;
    const element = now?.startContainer.parentElement;
    if (element) reachLit(element);
    return light(
      ranges.filter((range) => range !== null),
      now,
    );
  }, [items, words, lit]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is no fieldset
    <div
      className={styles.page}
      role="group"
      aria-label={texts.pageOf(number, pdf.numPages)}
      style={{ width, height, transform: `translate(-50%, ${top}px)` }}
    >
      {failed ? <p className={styles.failed}>{texts.pageNotShown}</p> : <div ref={holder} />}
      {boxes.length > 0 && <PageMarks boxes={boxes} arrive={(mark) => mark && arrive(mark)} />}
    </div>
  );
}

const notDrawn: readonly HTMLElement[] = [];
