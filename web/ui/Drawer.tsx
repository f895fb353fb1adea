import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './Drawer.module.css';

export interface DrawerProps {
  label: string;
  /** `start`: a drawer at the left edge; `whole`: the whole screen. */
  size: 'start' | 'whole';
  onClose: () => void;
  children: ReactNode;
}

/**
 * Lies over the page, which can't be reached meanwhile. Esc and a tap beside it close it; the focus goes back. The
 * browser's own dialog does all of that.
 */
export function Drawer({ label, size, onClose, children }: DrawerProps) {
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
