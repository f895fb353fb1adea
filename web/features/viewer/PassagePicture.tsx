import { type RefObject, useEffect, useRef, useState } from 'react';
import { currentLink, documentQuery } from '#web/api/documents.ts';
import { queryClient } from '#web/api/query-client.ts';
import { type PageBox, PageMarks } from './PageMarks.tsx';
import styles from './PassagePicture.module.css';
import { type PartOfPage, partAround, unionOf } from './part-around.ts';
import { drawPicture, faultOf, openPdf, sizeOf } from './pdf.ts';
import type { Target } from './target.ts';
import { viewerTexts as texts } from './texts.ts';

export interface PassagePictureProps {
  target: Target;
  /** What is marked, all on one page. */
  places: readonly PageBox[];
}

/** Fills its place with the part of a page around passages, which are marked, once it comes into sight. */
export function PassagePicture({ target, places }: PassagePictureProps) {
  const holder = useRef<HTMLDivElement>(null);
  const isNear = useNear(holder);
  const [part, setPart] = useState<PartOfPage | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const { documentId, version, cite } = target;
  const page = places[0]?.page ?? 1;
  const [left, top, right, bottom] = unionOf(places.map(({ box }) => box));
  useEffect(() => {
    const box = holder.current;
    if (!isNear || !box) return;
    const drawing = new AbortController();
    const { signal } = drawing;
    const onLost = () => setFailed(texts.pictureNotLoaded);
    draw({ documentId, version, cite }, { page, box: [left, top, right, bottom] }, box, { signal, onLost }).then(
      ({ canvas, part: shown }) => {
        if (signal.aborted) return;
        box.prepend(canvas);
        setPart(shown);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        console.warn('The picture of a passage could not be drawn.', error);
        setFailed(faultOf(error) === 'not-loaded' ? texts.pictureNotLoaded : texts.pageNotShown);
      },
    );
    return () => {
      drawing.abort();
      box.querySelector('canvas')?.remove();
    };
  }, [isNear, documentId, version, cite, page, left, top, right, bottom]);
  return (
    <div ref={holder} className={styles.holder}>
      {part && <PageMarks boxes={places.map(({ box }) => ({ page, box: within(part, box) }))} arrive={noArrival} />}
      {failed && <p className={styles.failed}>{failed}</p>}
    </div>
  );
}

const noArrival = () => {};

interface Drawing {
  signal: AbortSignal;
  onLost: () => void;
}

async function draw(target: Target, { page, box }: PageBox, holder: HTMLElement, { signal, onLost }: Drawing) {
  const original = await queryClient.fetchQuery(documentQuery(target));
  signal.throwIfAborted();
  const reading = new AbortController();
  try {
    const until = AbortSignal.any([signal, reading.signal]);
    const pdf = await openPdf(() => currentLink(original, target.version), { signal: until, onLost });
    signal.throwIfAborted();
    const size = await sizeOf(pdf, page);
    const { width, height } = holder.getBoundingClientRect();
    const part = partAround(box, size.height / size.width, height / width);
    return { canvas: await drawPicture(pdf, page, { width, part, signal }), part };
  } finally {
    reading.abort();
  }
}

/** A place on the page as one on the part of it that is shown. */
function within([left, top, right, bottom]: PartOfPage, [l, t, r, b]: PageBox['box']): PageBox['box'] {
  const across = (x: number) => Math.min(Math.max((x - left) / (right - left), 0), 1);
  const down = (y: number) => Math.min(Math.max((y - top) / (bottom - top), 0), 1);
  return [across(l), down(t), across(r), down(b)];
}

/** Whether it has come into sight, or near it. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!element.current || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isNear]);
  return isNear;
}
