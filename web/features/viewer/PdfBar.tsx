import { useEffect, useRef, useState } from 'react';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NextIcon, PreviousIcon, ZoomInIcon, ZoomOutIcon } from '#web/ui/icons.tsx';
import styles from './PdfBar.module.css';
import type { Found, useFind } from './use-find.ts';

/** Times the width that fits. */
const zooms: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

export interface PdfBarProps {
  /** In view, 1-based. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
  /** 1 fits the width. */
  zoom: number;
  onZoom: (zoom: number) => void;
  find: ReturnType<typeof useFind>;
}

/** Leads through a PDF: to a page, nearer or further off, to words. */
export function PdfBar({ page, pages, onPage, zoom, onZoom, find }: PdfBarProps) {
  const place = zooms.indexOf(zoom);
  const zoomBy = (by: 1 | -1) => onZoom(zooms[place + by] ?? zoom);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Pages">
      <PageField key={page} page={page} pages={pages} onPage={onPage} />
      <span className={styles.group}>
        <IconButton label="Zoom out" off={place <= 0} onClick={() => zoomBy(-1)}>
          <ZoomOutIcon />
        </IconButton>
        <button
          type="button"
          className={styles.fit}
          aria-label={`${zoom * 100} %, fit the width`}
          onClick={() => onZoom(1)}
        >
          {zoom === 1 ? 'Fit' : `${zoom * 100} %`}
        </button>
        <IconButton label="Zoom in" off={place >= zooms.length - 1} onClick={() => zoomBy(1)}>
          <ZoomInIcon />
        </IconButton>
      </span>
      <FindField {...find} />
    </div>
  );
}

/** Shows the page in view, and goes to the one that is written there. */
function PageField({ page, pages, onPage }: Pick<PdfBarProps, 'page' | 'pages' | 'onPage'>) {
  const [text, setText] = useState(String(page));
  const go = () => {
    const wanted = Number(text);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted);
    else setText(String(page));
  };
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        className={styles.page}
        inputMode="numeric"
        aria-label="Page"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => setText(String(page))}
      />
      <span>of {pages}</span>
    </form>
  );
}

/** Enter goes to the next place, Shift+Enter to the one before, Esc ends. Ctrl+F comes here from anywhere in the view. */
function FindField({ words, setWords, found, step }: PdfBarProps['find']) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'f' || event.shiftKey || event.altKey) return;
      if (!document.activeElement?.closest('[data-viewer]')) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const none = found.hits.length === 0;
  return (
    <search className={styles.find}>
      <input
        ref={field}
        type="search"
        placeholder="Find in document"
        aria-label="Find in document"
        value={words}
        maxLength={200}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape' || words === '') return;
          // One Esc ends one thing: the document stays open.
          event.nativeEvent.stopImmediatePropagation();
          event.stopPropagation();
          setWords('');
        }}
      />
      {words.trim() !== '' && (
        <>
          <span className={styles.count} role="status">
            {countOf(found)}
          </span>
          <IconButton label="Previous match" off={none} onClick={() => step(-1)}>
            <PreviousIcon />
          </IconButton>
          <IconButton label="Next match" off={none} onClick={() => step(1)}>
            <NextIcon />
          </IconButton>
        </>
      )}
    </search>
  );
}

function countOf({ hits, now, searching }: Found): string {
  if (hits.length === 0) return searching ? 'Searching …' : 'Not found';
  return `${now + 1} of ${hits.length}${searching ? ' …' : ''}`;
}
