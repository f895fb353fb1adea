import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import styles from './Popover.module.css';
import { useBreakpoint } from './use-breakpoint.ts';
import { usePressOutside } from './use-press-outside.ts';

export interface PopoverProps {
  id: string;
  /**
   * What it belongs to: it stands above that, or below where there is no room; on a phone what stays is a sheet at the
   * bottom.
   */
  anchor: HTMLElement;
  /** Given where it stays until something else is pressed: its name, as of a dialog. Without one it is a tooltip. */
  label?: string | undefined;
  onEnter: () => void;
  onLeave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** From the edge of the window and from the anchor, in CSS pixels. */
const margin = 8;

/**
 * A card beside what it explains. Whoever shows it hides it when the page scrolls: nothing has to follow the anchor.
 */
export function Popover({ id, anchor, label, onEnter, onLeave, onClose, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const stays = label !== undefined;
  const isPhone = useBreakpoint('oneColumn');

  useLayoutEffect(() => {
    const element = box.current;
    // On a phone what stays lies at the bottom of the window, below the thumb.
    if (!element || (stays && isPhone)) return;
    const at = anchor.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const above = at.top - height - margin;
    element.style.top = `${above > margin ? above : at.bottom + margin}px`;
    element.style.left = `${Math.max(margin, Math.min(at.left - 24, window.innerWidth - width - margin))}px`;
  }, [anchor, stays, isPhone]);
  usePressOutside(stays, (target) => Boolean(box.current?.contains(target)) || anchor.contains(target), onClose);

  // In the same landmark as its anchor, where who goes from one to the next finds it.
  return createPortal(
    <div
      ref={box}
      id={id}
      className={styles.popover}
      data-sheet={(stays && isPhone) || undefined}
      {...(stays ? { role: 'dialog', 'aria-label': label } : { role: 'tooltip' })}
      onPointerEnter={onEnter}
      onPointerLeave={stays ? undefined : onLeave}
    >
      {children}
    </div>,
    anchor.closest('main') ?? document.body,
  );
}
