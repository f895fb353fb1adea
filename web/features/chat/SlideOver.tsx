import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './SlideOver.module.css';

export interface SlideOverProps {
  label: string;
  /** `start`: a drawer at the left edge; `whole`: the whole screen. */
  size: 'start' | 'whole';
  onClose: () => void;
  children: ReactNode;
}

/** Lies over the page, which can't be reached meanwhile. Esc and a tap beside it close it; the focus goes back. */
export function SlideOver({ label, size, onClose, children }: SlideOverProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for the keyboard there is Esc
    <dialog
      ref={dialog}
      className={styles.over}
      data-size={size}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.content}>{children}</div>
    </dialog>
  );
}
