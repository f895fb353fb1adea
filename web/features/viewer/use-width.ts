import { type RefObject, useEffect, useState } from 'react';

/** The inner width of an element in CSS pixels, once it has settled; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const next = Math.floor(entry?.contentRect.width ?? 0);
      clearTimeout(settle);
      // While the edge is dragged every pixel would draw every page anew.
      settle = setTimeout(() => setWidth(next), 120);
      setWidth((known) => known || next);
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(settle);
      observer.disconnect();
    };
  }, [element]);
  return width;
}
