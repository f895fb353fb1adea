import { IconButton } from '#web/ui/IconButton.tsx';
import { PagesIcon, ZoomInIcon, ZoomOutIcon } from '#web/ui/icons.tsx';
import { FindField } from './FindField.tsx';
import { PlaceField } from './PlaceField.tsx';
import { viewerTexts as texts } from './texts.ts';
import type { Find } from './use-find.ts';
import styles from './ViewBar.module.css';

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
  /** The small pictures of all pages are shown. */
  hasThumbnails: boolean;
  onThumbnails: () => void;
  find: Find;
}

/** Leads through a PDF: to a page, by its number or its picture, nearer or further off, to words. */
export function PdfBar({ page, pages, onPage, zoom, onZoom, hasThumbnails, onThumbnails, find }: PdfBarProps) {
  const place = zooms.indexOf(zoom);
  const zoomBy = (by: 1 | -1) => onZoom(zooms[place + by] ?? zoom);
  return (
    <div className={styles.bar} data-in-use role="toolbar" aria-label={texts.pages}>
      <span className={styles.group}>
        {pages > 1 && (
          <IconButton label={texts.thumbnails} aria-expanded={hasThumbnails} onClick={onThumbnails}>
            <PagesIcon />
          </IconButton>
        )}
        <PlaceField label={texts.page} now={page} count={pages} onGo={onPage} />
      </span>
      <span className={styles.group}>
        <IconButton label={texts.zoomOut} off={place <= 0} onClick={() => zoomBy(-1)}>
          <ZoomOutIcon />
        </IconButton>
        <button type="button" className={styles.fit} aria-label={texts.fitFrom(zoom)} onClick={() => onZoom(1)}>
          {zoom === 1 ? texts.fit : texts.percent(zoom)}
        </button>
        <IconButton label={texts.zoomIn} off={place >= zooms.length - 1} onClick={() => zoomBy(1)}>
          <ZoomInIcon />
        </IconButton>
      </span>
      <FindField {...find} />
    </div>
  );
}
