import { useState } from 'react';
import styles from './Divider.module.css';

export interface Width {
  /** In CSS pixels. */
  now: number;
  min: number;
  max: number;
  set: (width: number) => void;
}

/** A width that this browser remembers. */
export function useStoredWidth(
  name: string,
  { initial, min, max }: { initial: number; min: number; max: number },
): Width {
  const key = `footnote.width.${name}`;
  const [now, setNow] = useState(() => Number(localStorage.getItem(key)) || initial);
  const within = (width: number) => Math.round(Math.min(Math.max(width, min), max));
  return {
    now: within(now),
    min,
    max,
    set: (width) => {
      setNow(within(width));
      localStorage.setItem(key, String(within(width)));
    },
  };
}

/** The edge between two parts of the page, to be dragged or moved with the arrow keys. */
export function Divider({ label, width, grows }: { label: string; width: Width; grows: 'left' | 'right' }) {
  const sign = grows === 'right' ? 1 : -1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be moved
    <div
      className={styles.divider}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width.now}
      aria-valuemin={width.min}
      aria-valuemax={width.max}
      tabIndex={0}
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') width.set(width.now + 24 * sign);
        if (key === 'ArrowLeft') width.set(width.now - 24 * sign);
      }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        width.set(width.now + event.movementX * sign);
      }}
    />
  );
}
